// Runs the production build. The server of adapter-node takes the scheme and the host from headers of a proxy, and assumes HTTPS
// without them. This one takes them from AUTH_URL, or else from the connection.
import { createServer } from "node:http"

const { PORT = "3000", HOST = "localhost", AUTH_URL = "" } = process.env
const site = URL.canParse(AUTH_URL) ? new URL(AUTH_URL) : undefined
const [protocolHeader, hostHeader] = ["x-forwarded-proto", "x-forwarded-host"]
process.env.PROTOCOL_HEADER = protocolHeader
process.env.HOST_HEADER = hostHeader
const { handler } = await import("./build/handler.js")

const server = createServer((req, res) => {
  req.headers[protocolHeader] = site?.protocol.slice(0, -1) ?? req.headers[protocolHeader] ?? "http"
  req.headers[hostHeader] = site?.host ?? req.headers[hostHeader] ?? req.headers.host
  handler(req, res)
})
server.listen(Number(PORT), HOST, () => console.log(`Listening on http://localhost:${server.address().port}`))
