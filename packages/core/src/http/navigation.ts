import type { AuthRequest } from "../model/http.js"

/** Whether a browser loads a page with this request. A script has a page of its own. */
export function isNavigation({ headers }: Pick<AuthRequest, "headers">): boolean {
  if (headers.has("x-auth-return-redirect")) return false
  const mode = headers.get("sec-fetch-mode")
  // Browsers leave out the mode over plain http.
  return mode === null ? headers.get("accept")?.includes("text/html") === true : mode === "navigate"
}
