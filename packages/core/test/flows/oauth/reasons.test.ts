import { createProvider, faults } from "@latchkey/testing"
import type { Answer, FakeProvider, Fault } from "@latchkey/testing"
import type { OAuth2Config, OIDCConfig, SecurityMode } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { begin, open, outcome } from "./app.js"

interface Rest {
  readonly security?: SecurityMode
  readonly given?: Partial<OIDCConfig>
  readonly query?: Record<string, string>
}

function claiming(claims: Record<string, unknown>): Fault {
  return { idToken: (token) => ({ ...token, claims: { ...token.claims, ...claims } }) }
}

function returning(params: Record<string, string>): Fault {
  return { authorize: (own) => ({ ...own, ...params }) }
}

function publishing(change: Answer["body"]): Fault {
  return { discovery: (answer) => ({ ...answer, body: { ...answer.body, ...change } }) }
}

async function signIn(
  op: FakeProvider,
  given: OIDCConfig | OAuth2Config,
  { security = "compatible", query = {} }: Rest,
) {
  const { browser, log } = await open([given], { security })
  await begin(browser, "op", query)
  if (browser.location.startsWith(op.issuer)) await browser.consentAt(op, { as: "ada" })
  return { fate: outcome(browser), said: log.entries.map(({ text }) => text).join("\n") }
}

/** Changes the ID token in the token response. */
function rewriting(change: (jwt: string) => string): Fault {
  return {
    token: (answer) => ({ ...answer, body: { ...answer.body, id_token: change(String(answer.body["id_token"])) } }),
  }
}

const strict = { security: "strict" } as const
const [check, refused, wrong] = ["InvalidCheck", "OAuthCallbackError", "Configuration"]

const reasons: readonly (readonly [string, Fault, string, string, Rest?])[] = [
  [
    "an ID token in the address",
    returning({ id_token: "x" }),
    wrong,
    'tokens instead of a code. Set its response type to "code"',
  ],
  ["an access token in the address", returning({ access_token: "x" }), wrong, 'The provider "op" returned tokens'],
  ["a token in the address", returning({ access_token: "x" }), wrong, "cause: { provider: 'op' }"],
  ["an error", returning({ error: "no\tway" }), check, "its `error` is malformed"],
  [
    "an error that can be read",
    returning({ error: "no way" }),
    refused,
    "cause: { providerId: 'op', error: 'no way' }",
  ],
  ["another error", returning({ error: "x" }), refused, "didn't sign the user in; the cause has its reason"],
  [
    "an error with a reason",
    returning({ error: "x", error_description: "a\r\nb" }),
    refused,
    "error: 'x', error_description: 'a b' }",
  ],
  ["a code of 4097 characters", returning({ code: "c".repeat(4097) }), check, "its `code` is malformed"],
  ["an issuer with a line feed", returning({ iss: "https://op.test\n" }), check, "its `iss` is malformed"],
  ["no state", faults.stateMissing, check, "the response has no state. Start the sign-in again"],
  ["another state", faults.stateWrong, check, "this browser has no attempt, or several"],
  ["another issuer", faults.issMismatch, wrong, "The response names another issuer"],
  ["no issuer", faults.issMissing, wrong, "The response doesn't name its issuer", strict],
  ["no code", faults.codeMissing, wrong, "The response has no authorization code"],
  ["a redirect for tokens", faults.tokenRedirect, wrong, "a redirect, which isn't followed. Configure the final URL"],
  ["a page for tokens", faults.tokenHtml, wrong, "not a JSON object"],
  ["too much for tokens", faults.tokenOversized, wrong, "longer than 1048576 bytes"],
  [
    "an expiry in words",
    faults.expiresInGarbage,
    wrong,
    "The `expires_in` of the token response isn't a number of seconds",
  ],
  ["a subject with a line feed", faults.subWithNewline, wrong, "The `sub` of the ID token isn't 1 to 255 ASCII"],
  ["an empty subject", faults.emptySub, wrong, "sub"],
  ["a space behind the ID token", rewriting((jwt) => `${jwt} `), wrong, "The token is not base64url"],
  ["a tab in its signature", rewriting((jwt) => `${jwt.slice(0, -9)}\t${jwt.slice(-9)}`), wrong, "not base64url"],
  ["another party", claiming({ azp: "other" }), wrong, "The ID token was issued to another client"],
  ["an old ID token", faults.oldIat, wrong, "The ID token wasn't issued just now. Compare the clocks of both servers"],
  [
    "another acr",
    claiming({ acr: "tin" }),
    refused,
    "didn't say that the user was authenticated at the requested level (`acr`). The user has to sign in again",
    { ...strict, query: { acr_values: "gold" } },
  ],
  [
    "another access token's hash",
    claiming({ at_hash: "x" }),
    wrong,
    "The access token doesn't belong to the ID token",
    strict,
  ],
  ["keys that are away", faults.jwksServerError, wrong, "The keys at https://op.test/jwks answered with status 500"],
  ["keys on a page", faults.jwksHtml, wrong, "The key set is not a JSON object"],
  ["keys that are no list", { jwks: () => Response.json({ keys: {} }) }, wrong, "The key set has no list of keys"],
  ["no keys", faults.noJwksUri, wrong, "publishes no keys to verify its signature with", strict],
  ["no metadata", faults.discoveryServerError, wrong, "openid-configuration answered with status 500"],
  ["metadata on a page", faults.discoveryHtml, wrong, "The discovery document is not a JSON object"],
  ["metadata without issuer", faults.discoveryNoIssuer, wrong, "The discovery document names no issuer"],
  ["metadata with an empty issuer", publishing({ issuer: "" }), wrong, "The discovery document names no issuer"],
  [
    "another issuer's metadata",
    faults.discoveryWrongIssuer,
    wrong,
    "Set `issuer` to exactly what the provider publishes",
  ],
  ["an endpoint that is none", publishing({ token_endpoint: "%" }), wrong, "names an endpoint that isn't a public URL"],
  ["an endpoint over http", faults.plainHttpAuthorization, wrong, "Use https and a public host, or set"],
  [
    "no place to begin",
    publishing({ authorization_endpoint: undefined }),
    wrong,
    'The provider "op" has no authorization endpoint. Set `authorization`',
  ],
  [
    "userinfo that is away",
    { userinfo: () => new Response("", { status: 503 }) },
    wrong,
    "The userinfo endpoint returned no profile",
    { given: { idToken: false } },
  ],
  [
    "userinfo that is refused",
    { userinfo: () => new Response("", { status: 403 }) },
    wrong,
    "status: 403",
    { given: { idToken: false } },
  ],
  [
    "a profile without an id",
    {},
    refused,
    'The provider "op" named no account. Return a permanent `id` from `profile()`',
    { given: { profile: () => ({ id: "undefined" }) } },
  ],
  [
    "a profile() that throws",
    {},
    refused,
    'The `profile` callback of the provider "op" failed; see the cause',
    {
      given: {
        profile: () => {
          throw new TypeError("x is no function")
        },
      },
    },
  ],
  [
    "a userinfo.request without an answer",
    {},
    wrong,
    "The provider's `userinfo.request` returned no profile",
    { given: { idToken: false, userinfo: { request: () => null } } },
  ],
  [
    "a userinfo.request about another user",
    {},
    wrong,
    "The userinfo response is about another subject",
    { given: { idToken: false, userinfo: { request: () => ({ sub: "grace" }) } } },
  ],
]

test.each(reasons.map(([what, ...rest]) => [what, rest] as const))(
  "after %s the log says why",
  async (_, [fault, fate, message, rest = {}]) => {
    const op = createProvider({ faults: fault })
    const end = await signIn(op, op.provider(rest.given ?? {}), rest)
    expect(end.fate).toBe(fate)
    expect(end.said).toContain(message)
  },
)

test("a sign-out in between prevents linking, and the log says why", async () => {
  const op = createProvider()
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  for (const [link, fate] of [
    ["true", check],
    ["", "home"],
  ] as const) {
    const { browser, log } = await open([op.provider(), other.provider()])
    await browser.signInWith(other, { as: "grace" })
    const tab = browser.clone()
    await tab.post("/auth/signin/op", { csrfToken: (await tab.csrf()) ?? "", link })
    await browser.signOut()
    await tab.consentAt(op, { as: "ada" })
    expect(outcome(tab)).toBe(fate)
    const reason = "another user was signed in when the attempt started"
    expect(log.entries.some(({ text }) => text.includes(reason))).toBe(fate === check)
  }
})

test("the debug log says where a sign-in goes, and why its ID token was trusted", async () => {
  const op = createProvider({ faults: faults.noJwksUri })
  const { browser, log } = await open([op.provider()], { debug: true })
  await browser.signInWith(op, { as: "ada" })
  const debug = log.entries.filter(({ level }) => level === "debug").map(({ message, detail }) => [message, detail])
  expect(debug).toContainEqual([
    "The sign-in continues at the provider",
    { provider: "op", at: "https://op.test/authorize" },
  ])
  expect(debug).toContainEqual([
    "The provider publishes no keys, so its ID token is trusted because it came over TLS",
    "op",
  ])
})

test("every request has an Accept header and a User-Agent", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider({ idToken: false })])
  await browser.signInWith(op, { as: "ada" })
  const said = (["discovery", "token", "jwks", "userinfo"] as const).map((endpoint) => {
    const { headers } = op.requestsTo(endpoint)[0] ?? { headers: new Headers() }
    return [endpoint, headers.get("accept"), headers.get("user-agent"), headers.get("content-type")]
  })
  expect(said).toEqual([
    ["discovery", "application/json", "latchkey", null],
    ["token", "application/json", "latchkey", "application/x-www-form-urlencoded"],
    ["jwks", "application/json, application/jwk-set+json", "latchkey", null],
    ["userinfo", "application/json", "latchkey", null],
  ])
})
