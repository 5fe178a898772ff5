import { addCookies } from "@latchkey/core/node-http"
import type { ServerResponse } from "node:http"

/** Writes a web response into one of Node. */
export async function respond(response: Response, res: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  // A middleware that lost its patience (a timeout, say) has answered in the meantime.
  if (res.headersSent) return
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name === "vary") res.appendHeader(name, value)
    else if (name !== "set-cookie") res.setHeader(name, value)
  }
  addCookies(res, response.headers.getSetCookie())
  res.end(body)
}
