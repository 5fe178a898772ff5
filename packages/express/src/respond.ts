import { addCookies } from "@latchkey/core/node-http"
import type { ServerResponse } from "node:http"
import type { Destination } from "./middleware.js"

/** Sends a web response with a Node response. */
export async function respond(response: Response, res: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  // Another middleware, such as one for timeouts, may have responded meanwhile.
  if (res.headersSent) return
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name === "vary") res.appendHeader(name, value)
    else if (name !== "set-cookie") res.setHeader(name, value)
  }
  addCookies(res, response.headers.getSetCookie())
  res.end(body)
}

/** Redirects, unless the app responds itself. A 303 makes a form POST a GET. */
export function redirect(destination: Destination, res: ServerResponse, redirects = true): Destination {
  if (!redirects || res.headersSent) return destination
  res.statusCode = 303
  res.setHeader("location", destination.to)
  res.end()
  return destination
}
