// Runs the production build. The server of adapter-node assumes HTTPS unless a proxy says otherwise, and this one also runs
// without a proxy.
import { createServer } from "node:http"

process.env.PROTOCOL_HEADER ??= "x-forwarded-proto"
process.env.HOST_HEADER ??= "x-forwarded-host"
const { handler } = await import("./build/handler.js")

const { PORT = "3000", HOST = "localhost" } = process.env
const server = createServer((req, res) => {
  req.headers[process.env.PROTOCOL_HEADER] ??= "http"
  req.headers[process.env.HOST_HEADER] ??= req.headers.host
  handler(req, res)
})
server.listen(Number(PORT), HOST, () => console.log(`Listening on http://localhost:${server.address().port}`))
