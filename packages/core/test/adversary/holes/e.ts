import type { Hole } from "./hole.js"

/** Cookies of a sibling domain, and requests that other sites forge. */
export const holes: readonly Hole[] = [
  {
    name: "a sibling domain plants its own attempt to sign in",
    file: "src/http/cookie.ts",
    replace: 'return isOpen || !name.startsWith("__Secure-authjs.")',
    with: 'return !isOpen || !name.startsWith("__Secure-authjs.")',
    breaks: "session-proven",
    test: {
      file: "packages/core/test/attacks/planted-attempts.test.ts",
      title: "a sibling domain can't finish its own sign-in at a provider in the browser of another user",
    },
  },
  {
    name: "a form needs no CSRF token",
    file: "src/http/csrf.ts",
    replace: 'if (token === undefined || !isEqual(body["csrfToken"], token.token)) return false',
    with: "if (token === undefined || token.token.length > 0) return true",
    breaks: "session-proven",
  },
  {
    name: "a session of the new cookie name is accepted under the former one",
    file: "src/session/session-cookie.ts",
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
    file: "src/session/session-cookie.ts",
    replace: "const refused = isEnded ||",
    with: "const refused =",
    test: {
      file: "packages/core/test/attacks/planted-sessions.test.ts",
      title: "a browser that signed out accepts no planted session",
    },
  },
  {
    name: "one of several sessions of the former name is chosen",
    file: "src/session/session-cookie.ts",
    replace: 'isEnded || isRepeated(headers.get("cookie"), name)',
    with: "isEnded",
    test: {
      file: "packages/core/test/attacks/planted-sessions.test.ts",
      title: "a session isn't chosen among several of the former name",
    },
  },
  {
    name: "sessions of the former name are accepted after their last day",
    file: "src/session/session-cookie.ts",
    replace: "return runtime.now() < formerSessionsUntil",
    with: "return runtime.now() !== formerSessionsUntil + 0.5",
    test: {
      file: "packages/core/test/attacks/planted-sessions.test.ts",
      title: "no former session is accepted after its last day",
    },
  },
  {
    name: "a CSRF token without prefix isn't bound to the user",
    file: "src/http/csrf.ts",
    replace: "isHostOnly(cookie) || isMarked(",
    with: "isHostOnly(cookie) || marks.length > 0 || isMarked(",
    test: {
      file: "packages/core/test/attacks/csrf-binding.test.ts",
      title: "a token and cookie of another browser are refused in the browser of a user",
    },
  },
  {
    name: "a sibling domain sends a form",
    file: "src/http/csrf.ts",
    replace: 'return sender === origin && !auth.skipsCsrfCheck ? "own" : "foreign"',
    with: 'return "own"',
    test: {
      file: "packages/core/test/attacks/csrf-binding.test.ts",
      title: "a form of a sibling domain is refused on every route, with any token",
    },
  },
  {
    name: "a request makes the cookies of a public site insecure",
    file: "src/http/origin.ts",
    replace: "  if (isInsecureByConfig(auth, origin)) return auth.http",
    with: "  if (auth.http.secure || isInsecureByConfig(auth, origin) || origin !== '') return auth.http",
    breaks: "cookie-scoped",
    test: {
      file: "packages/core/test/attacks/secure-cookies.test.ts",
      title: "no request makes the cookies of a public site in production insecure",
    },
  },
  {
    name: "a request makes the cookies of a browser that uses https insecure",
    file: "src/http/origin.ts",
    replace: "&& !auth.rules.secureCookies && !cameOverHttps(sent, origin)",
    with: "&& !auth.rules.secureCookies && sent.cookie !== origin",
    test: {
      file: "packages/core/test/attacks/secure-cookies.test.ts",
      title: "no request makes the cookies of a browser that uses https insecure",
    },
  },
]
