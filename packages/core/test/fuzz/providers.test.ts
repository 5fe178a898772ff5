import fc from "fast-check"
import { expect, test } from "vitest"
import { AuthError } from "@latchkey/core/errors"
import { holds, patience } from "./holds.js"
import { mutatedJson } from "./json.js"
import { type Attempt, honest, type Sight, signIn, type Words } from "./stand-in.js"
import { mutated, nasty } from "./text.js"

/** The corrections that the catalogue has for a non-conforming provider. */
const expected: ReadonlySet<string> = new Set([
  "AuthError",
  "CallbackRouteError",
  "InvalidCheck",
  "OAuthCallbackError",
  "OAuthProfileParseError",
  "OAuthSignInError",
])

const setting = fc.record({
  kind: fc.constantFrom("oidc" as const, "oauth" as const, "userinfo" as const),
  mode: fc.constantFrom("compatible" as const, "strict" as const),
  stored: fc.boolean(),
})

/** Either a user is signed in or there is a typed error; never an internal error or an unknown redirect. */
function expectSound({ responses, errors, session }: Sight): void {
  for (const error of errors) expectForeseen(error)
  expect(responses.slice(0, 2).map(({ status }) => status)).toEqual([302, 302])
  const [to, home] = responses.map(({ headers }) => new URL(headers.get("location") ?? "about:blank"))
  expect(to?.protocol).toBe("https:")
  expect(home?.origin).toBe("https://app.test")
  expect(home?.searchParams.has("error")).toBe(session === null)
  expect(errors.length > 0).toBe(session === null)
}

/** An "AuthError" that only wraps another error is unexpected. */
function expectForeseen(error: Error): void {
  if (!(error instanceof AuthError)) throw error
  expect(expected, `${error.type}: ${error.message}`).toContain(error.type)
  if (error.type === "AuthError") expect(error.cause?.err, error.message).toBeUndefined()
}

function lying(part: keyof Words, more: Partial<Attempt> = {}) {
  return fc.asyncProperty(mutatedJson(honest[part]), setting, async (text, given) => {
    expectSound(await signIn({ ...given, ...more, words: { [part]: text } }))
  })
}

test(
  "a correct provider signs in with every configuration",
  () =>
    holds(
      fc.asyncProperty(setting, async (given) => {
        const sight = await signIn(given)
        expectSound(sight)
        expect(sight.session).toMatchObject({ user: { name: "Ada" } })
      }),
      0.002,
    ),
  patience,
)

test("a discovery document may contain anything", () => holds(lying("discovery", { kind: "oidc" }), 0.2), patience)
test("a key set may contain anything", () => holds(lying("keys", { kind: "oidc" }), 0.1), patience)
test("a token response may contain anything", () => holds(lying("token"), 0.2), patience)
test("the header of an ID token may contain anything", () => holds(lying("header", { kind: "oidc" }), 0.1), patience)
test("the claims of an ID token may contain anything", () => holds(lying("claims", { kind: "oidc" }), 0.2), patience)
test("a userinfo response may contain anything", () => holds(lying("userinfo", { kind: "oauth" }), 0.1), patience)
test(
  "a userinfo response next to an ID token may contain anything",
  () => holds(lying("userinfo", { kind: "userinfo" }), 0.1),
  patience,
)

test(
  "a response may have any status and any content type",
  () =>
    holds(
      fc.asyncProperty(
        fc.constantFrom("/token", "/userinfo", "/keys", "/.well-known/openid-configuration"),
        fc.constantFrom(200, 201, 204, 301, 307, 400, 401, 404, 429, 500, 503, 599),
        fc.oneof(
          fc.constantFrom("text/html", "application/x-www-form-urlencoded", "application/jwt", ""),
          mutated(fc.constant("application/json; charset=utf-8")),
        ),
        setting,
        async (at, status, type, given) => {
          const manner = { at, status, type: type.replace(/[^\x20-\x7e]/g, "") }
          expectSound(await signIn({ ...given, manner }))
        },
      ),
      0.1,
    ),
  patience,
)

test(
  "an ID token changed after signing does not sign in",
  () =>
    holds(
      fc.asyncProperty(mutated(fc.constant("@")), fc.nat(1000), nasty, async (text, at, other) => {
        const tamper = (token: string) => (at % 3 === 0 ? text.replaceAll("@", token) : spliced(token, at, other))
        let signed = ""
        const sight = await signIn({ kind: "oidc", tamper: (token) => tamper((signed = token)) })
        if (bytesOf(sight.idToken) === bytesOf(signed)) return
        expectSound(sight)
        expect(sight.session).toBeNull()
      }),
      0.1,
    ),
  patience,
)

function spliced(token: string, at: number, other: string): string {
  const place = at % token.length
  return JSON.stringify(token.slice(0, place) + other.slice(0, 3) + token.slice(place + 1)).slice(1, -1)
}

/** Base64url can encode the last byte in several ways (RFC 4648 §3.5); all of them are the same token. */
function bytesOf(token: string): string {
  return token
    .split(".")
    .map((part) => Buffer.from(part, "base64url").toString("hex") + /[^\w-]/.test(part))
    .join(".")
}
