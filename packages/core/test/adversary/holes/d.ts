import type { Hole } from "./hole.js"

const work = {
  file: "packages/core/test/invariants/bounded-work.test.ts",
  title: "whatever text a visitor sends, and wherever, the work for it grows at most with its length",
}

const attacks = "packages/core/test/attacks/bounded-input.test.ts"

/** Input is bounded before it is used. */
export const holes: readonly Hole[] = [
  {
    name: "an email of any length is normalized",
    file: "src/http/email-address.ts",
    replace: "if (typed.length > maxEmailInput) throw refused()",
    with: "if (typed.length > maxEmailInput * 1000) throw refused()",
    also: [
      {
        file: "src/signin/email-links.ts",
        replace: "if (typed.length > maxEmailInput) throw",
        with: "if (typed.length > maxEmailInput * 1000) throw",
      },
    ],
    breaks: "work-bounded",
    test: work,
  },
  {
    name: "a user name is normalized with its combining marks",
    file: "src/limits/one-spelling.ts",
    replace: 'visible.normalize("NFKD")',
    with: 'text.normalize("NFKD")',
    test: {
      file: "packages/core/test/invariants/bounded-work.test.ts",
      title: "the work for each costly piece of a text grows at most with its length, at every limit",
    },
  },
  {
    name: "a callback URL with a long host is parsed",
    file: "src/http/redirect.ts",
    replace: "part.length <= maxUrlPart ||",
    with: "part.length <= maxCallbackUrl + maxUrlPart ||",
    test: work,
  },
  {
    name: "a callback asks the provider before it's counted",
    file: "src/limits/attempts.ts",
    replace: "const refund = await consumeAttempt(auth, request, { action })",
    with: "const refund = await consumeAttempt(auth, request, { action }).catch(() => async () => undefined)",
    test: { file: work.file, title: "a callback beyond the rate limit asks no provider" },
  },
  {
    name: "every cookie that looks like one of a link is opened",
    file: "src/features/email/link-cookie.ts",
    replace: ".slice(-maxLinkCookies)",
    with: ".slice(-maxLinkCookies * 100)",
    test: {
      file: work.file,
      title: "a request with as many sealed cookies as a browser keeps has a few of them opened",
    },
  },
  {
    name: "authorize() gets objects and arrays",
    file: "src/features/credentials/fields.ts",
    replace: "    assertPlain(name, value, isStrict)",
    with: '    if (typeof value === "string") assertPlain(name, value, isStrict)',
    test: {
      file: attacks,
      title: "authorize() gets short texts only, and under strict only declared fields",
    },
  },
  {
    name: "a session has any number of cookies",
    file: "src/session/session-size.ts",
    replace: "if (fits(token)) return",
    with: "if (fits(token) || token.length > 0) return",
    test: {
      file: attacks,
      title: "a session of too many parts isn't sealed, and the error names the largest claim",
    },
  },
  {
    name: "a photo becomes cookies",
    file: "src/session/session-size.ts",
    replace: 'typeof image !== "string" || image.length <= maxClaimImage',
    with: 'typeof image !== "string" || image.length >= 0',
    test: {
      file: attacks,
      title: "a photo that is too large doesn't keep the user from signing in, nor fill cookies",
    },
  },
  {
    name: "all cookies of a request are parsed",
    file: "src/http/cookie.ts",
    replace: "if (++count > maxCookies)",
    with: "if (++count > maxCookies * 100)",
    test: { file: attacks, title: "too many or too long cookies get 431, and too long queries 400" },
  },
  {
    name: "a session in a cookie beyond the limits counts as none",
    file: "src/session/current.ts",
    replace: 'return omitsCookies === true && found?.kind !== "current"',
    with: 'return omitsCookies === true && found?.kind === "version4"',
    test: {
      file: attacks,
      title: "a page reads the session from the cookies within the limits, and never guesses without",
    },
  },
]
