import type { Incoming } from "../model/http.js"

/** The request as user functions see it: same address and headers, the parsed body as JSON (spec/flows.md §4). */
export function toRequest({ method, origin, path, headers, body }: Incoming): Request {
  const bodyless = method !== "POST"
  return new Request(origin + path, { method, headers, ...(bodyless ? {} : { body: JSON.stringify(body) }) })
}
