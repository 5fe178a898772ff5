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
  {
    name: "a session of the new cookie name is accepted under the former one",
    file: "src/session/current.ts",
    replace: "formerName: isHostBound(scheme) ? name : undefined",
    with: "formerName: undefined",
    breaks: "session-proven",
  },
  {
    name: "a custom codec without salt accepts a session of the new name under the former one",
    file: "src/session/token-codec.ts",
    replace: "return sealedFor === undefined ?",
    with: "return sealedFor !== null ?",
    test: {
      file: "packages/core/test/attacks/planted-sessions.test.ts",
      title: "nor is one that a custom codec without salt sealed for it",
    },
  },
  {
    name: "a browser that signed out accepts a session of the former name",
    file: "src/session/current.ts",
    replace: "const refused = isEnded ||",
    with: "const refused =",
    test: {
      file: "packages/core/test/attacks/planted-sessions.test.ts",
      title: "a browser that signed out accepts no planted session",
    },
  },
  {
    name: "one of several sessions of the former name is chosen",
    file: "src/session/current.ts",
    replace: 'isEnded || isRepeated(headers.get("cookie"), name)',
    with: "isEnded",
    test: {
      file: "packages/core/test/attacks/planted-sessions.test.ts",
      title: "a session isn't chosen among several of the former name",
    },
  },
  {
    name: "sessions of the former name are accepted after their last day",
    file: "src/session/current.ts",
    replace: "return runtime.now() < formerSessionsUntil",
    with: "return runtime.now() !== formerSessionsUntil + 0.5",
    test: {
      file: "packages/core/test/attacks/planted-sessions.test.ts",
      title: "no former session is accepted after its last day",
    },
  },
]
