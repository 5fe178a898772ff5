const anything = "*/*"

/**
 * Whether the response is a step of a flow as JSON. `fetch` accepts anything unless the application sets `Accept`, and so
 * does axios, so they get the same response as from Auth.js. The clients of Auth.js send the second header.
 */
export function wantsFlow(headers: Headers): boolean {
  const accept = headers.get("accept")?.toLowerCase() ?? ""
  const isJson = accept.includes("application/json") && !accept.includes("text/html") && !accept.includes(anything)
  return isJson && !headers.has("x-auth-return-redirect")
}
