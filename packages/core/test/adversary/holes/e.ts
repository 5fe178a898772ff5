import type { Hole } from "./hole.js"

/** Cookies of a sibling domain, and requests that other sites forge. */
export const holes: readonly Hole[] = [
  {
    name: "a form needs no CSRF token",
    file: "src/http/csrf.ts",
    replace: 'return token !== undefined && typeof body["csrfToken"] === "string" && equal(body["csrfToken"], token)',
    with: "return true",
    breaks: "session-proven",
  },
]
