// What a client can do with a response.

/**
 * Whether the response is a step of a flow as JSON. `fetch` accepts anything unless the application sets `Accept`, and so
 * does axios, so they get the same response as from Auth.js. The clients of Auth.js send `X-Auth-Return-Redirect`.
 */
export function wantsFlow(headers: Headers): boolean {
  const isJson = accepts(headers, "application/json") && !accepts(headers, "text/html") && !accepts(headers, "*/*")
  return isJson && !headers.has("x-auth-return-redirect")
}

/** Whether a script reads the response, so a redirect or a page would be lost on it. */
export function wantsJson(headers: Headers): boolean {
  return isScript(headers) || (accepts(headers, "json") && !accepts(headers, "text/html"))
}

export function acceptsPage(headers: Headers): boolean {
  return !isScript(headers) && accepts(headers, "text/html")
}

/** Whether a browser shows the response as a page. That's also true for a form without JavaScript. */
export function isNavigation(headers: Headers): boolean {
  const mode = headers.get("sec-fetch-mode")
  // Browsers leave out the mode over plain http.
  return mode === null ? acceptsPage(headers) : mode === "navigate" && !isScript(headers)
}

function isScript(headers: Headers): boolean {
  return headers.has("x-auth-return-redirect") || headers.get("content-type")?.includes("json") === true
}

function accepts(headers: Headers, type: string): boolean {
  return headers.get("accept")?.toLowerCase().includes(type) === true
}
