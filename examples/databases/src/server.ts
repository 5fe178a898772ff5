import { createServer } from "node:http"
import { auth } from "./auth.ts"

const handler = auth.handler(async (req, res) => {
  const session = await auth.getSession(req, res)
  res.setHeader("content-type", "text/plain; charset=utf-8")
  if (session === null) return res.end("Not signed in. Sign in at /auth/signin.")
  return res.end(`Signed in as ${session.user?.email}. Your sessions are at /auth/account.`)
})

const { PORT = "3000", HOST = "localhost" } = process.env
const server = createServer(handler).listen(Number(PORT), HOST, () => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : PORT
  console.log(`Harbor is at http://${HOST}:${port}`)
})
