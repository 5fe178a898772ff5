import type { ServerResponse } from "node:http"
import type { Destination } from "./middleware.js"

/** Redirects, unless the app responds itself. A 303 makes a form POST a GET. */
export function redirect(destination: Destination, res: ServerResponse, redirects = true): Destination {
  if (!redirects || res.headersSent) return destination
  res.statusCode = 303
  res.setHeader("location", destination.to)
  res.end()
  return destination
}
