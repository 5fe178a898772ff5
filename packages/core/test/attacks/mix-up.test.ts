import type { AuthConfig, OIDCConfig } from "@latchkey/core/types"
import { captureLog, createProvider, faults } from "@latchkey/testing"
import type { FakeProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { answerOf, begin, open, outcome, secret } from "../flows/oauth/app.js"
import { attackersCode, expectRefused, metadata, returning, visitLazily } from "./oauth-setup.js"

const issuer = "https://op.test"

attack("ADV-NA-14", "a sign-in at one provider cannot be finished at another", async (mode) => {
  for (const plain of [true, false]) {
    const a = createProvider({ id: "a", issuer: "https://a.test" })
    const b = createProvider({ id: "b", issuer: "https://b.test", faults: faults.pkceIgnored })
    const providers = [a, b].map((op) => (plain ? op.oauthProvider() : op.provider({ checks: ["state", "pkce"] })))
    const app = await open(providers, { security: mode })
    const state = (await begin(app.browser, "a")).searchParams.get("state") ?? ""
    const code = await attackersCode(app.browser, b, "b")
    for (const iss of [{}, { iss: "https://a.test" }, { iss: "https://b.test" }]) {
      await begin(app.browser, "a")
      await app.browser.get(`/auth/callback/b?${new URLSearchParams({ code, state, ...iss })}`, { from: b.issuer })
      await expectRefused(app, "InvalidCheck")
    }
    expect([a.requestsTo("token"), b.requestsTo("token")]).toEqual([[], []])
  }
})

attack(
  "ADV-NA-14",
  "a sign-in at one provider cannot be finished at another even if both share a redirect URI, or server and client",
  async (mode) => {
    const shared = { params: { redirect_uri: "https://app.test/auth/callback/b" } }
    for (const issuer of ["https://a.test", "https://b.test"]) {
      const a = createProvider({ id: "a", issuer })
      const b = createProvider({
        id: "b",
        issuer: "https://b.test",
        faults: [faults.pkceIgnored, faults.redirectUriIgnored],
      })
      const app = await open(
        [a, b].map((op) => op.provider({ authorization: shared })),
        { security: mode },
      )
      const code = await attackersCode(app.browser, b, "b")
      const state = (await begin(app.browser, "a")).searchParams.get("state") ?? ""
      await app.browser.get(`/auth/callback/b?${new URLSearchParams({ code, state, iss: b.issuer })}`, {
        from: b.issuer,
      })
      await expectRefused(app, "InvalidCheck")
      expect([a.requestsTo("token"), b.requestsTo("token")]).toEqual([[], []])
    }
  },
)

attack("ADV-NA-14", "a renamed flow cookie is not accepted for another state", async (mode) => {
  const op = createProvider({ faults: faults.pkceIgnored })
  const app = await open([op.oauthProvider()], { security: mode })
  const { browser } = app
  await begin(browser)
  const own = browser.cookies.find(({ name }) => name.includes("state."))
  const theirs = await begin(browser.fresh())
  if (own === undefined) throw new Error("The attempt left no cookie")
  const end = (theirs.searchParams.get("state") ?? "").slice(-10)
  browser.jar.put({ ...own, name: own.name.replace(/[\w-]{10}$/, end) })
  await browser.get(await answerOf(op, theirs, "grace"), { from: op.issuer })
  await expectRefused(app, "InvalidCheck")
  expect(op.requests).toEqual([])
})

attack("ADV-NA-14", "a sign-in started in one browser is refused in another", async (mode) => {
  const op = createProvider()
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  const { browser, adapter } = await open([op.provider(), other.provider()], { security: mode })
  await browser.signInWith(op, { as: "ada" })
  const tab = browser.clone()
  await begin(tab, "other")
  await browser.signOut()
  await browser.signInWith(op, { as: "grace" })
  await tab.consentAt(other, { as: "linus" })
  expect([outcome(tab), other.requestsTo("token")]).toEqual(["InvalidCheck", []])
  expect(adapter.rows().accounts.map(({ provider }) => provider)).toEqual(["op", "op"])
})

const foreignIssuers = [
  "https://evil.test",
  `${issuer}/`,
  "https://OP.test",
  "HTTPS://op.test",
  "http://op.test",
  "https://op.test:443",
  "https://op.test@evil.test",
  "https://op.test.evil.test",
  "https://op.test%00",
  " https://op.test",
  "null",
  "",
]

attack("MIX-01", "a callback with another `iss` is refused before the token request", async (mode) => {
  for (const iss of foreignIssuers) {
    const op = createProvider({ faults: returning({ iss }) })
    const kinds = [
      op.provider(),
      op.oauthProvider({ issuer }),
      op.provider({ authorization: `${issuer}/authorize`, token: `${issuer}/token`, jwks_endpoint: `${issuer}/jwks` }),
    ]
    for (const given of kinds) {
      const app = await open([given], { security: mode })
      await app.browser.signInWith(op, { as: "ada" })
      await expectRefused(app, "Configuration")
      expect(op.requestsTo("token")).toEqual([])
    }
  }
})

strictAttack(
  "MIX-02",
  "issuer checks",
  "a callback without `iss` is refused if the metadata announce one",
  async (mode) => {
    const op = createProvider({ faults: faults.issMissing })
    const app = await open([op.provider()], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "Configuration")
    expect(op.requestsTo("token")).toEqual([])
  },
)

/** The configuration announces the `iss` parameter for a server without metadata (RFC 9207 §2.4). */
const promised = { client: { authorization_response_iss_parameter_supported: true } }

strictAttack(
  "MIX-02",
  "issuer checks",
  "a callback without `iss` is refused if the configuration of a plain OAuth 2 provider announces one",
  async (mode) => {
    const op = createProvider({ issParameter: false })
    const app = await open([op.oauthProvider({ issuer, ...promised })], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "Configuration")
    expect(op.requestsTo("token")).toEqual([])
  },
)

attack("MIX-02", "a callback without `iss` is accepted if the provider does not announce one", async (mode) => {
  const op = createProvider({ issParameter: false })
  const { browser } = await open([op.oauthProvider({ issuer })], { security: mode })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
})

interface Tenant {
  readonly op: FakeProvider
  readonly given: Partial<OIDCConfig>
}

/** Starts the sign-in with the provider of one tenant and finishes it with that of another, in the same browser. */
async function startHereEndThere(mode: Mode, [a, b]: readonly [Tenant, Tenant]) {
  const common = { secret, trustHost: ["app.test"], security: mode, logger: captureLog().logger } as const
  const fresh = ({ op, given }: Tenant): AuthConfig => ({
    ...common,
    providers: [op.provider({ id: "sso", ...given })],
  })
  let tenant = a
  const browser = visitLazily(() => fresh(tenant))
  const answer = await answerOf(a.op, await begin(browser, "sso"))
  tenant = b
  await browser.get(answer, { from: a.op.issuer })
  const session = await browser.session()
  return { browser, session }
}

attack("MIX-03", "a sign-in is refused when its provider id now means another server or client", async (mode) => {
  const rows: readonly (readonly [Partial<OIDCConfig>, Partial<OIDCConfig>])[] = [
    [{}, { issuer: "https://other.test" }],
    [{}, { clientId: "other-client" }],
    [{}, { issuer: "https://op.test/" }],
    [{ issuer: "https://op.test" }, { issuer: "", wellKnown: "https://other.test/.well-known/openid-configuration" }],
    [{}, { authorization: { params: { redirect_uri: "https://app.test/elsewhere" } } }],
    [{}, { redirectProxyUrl: "https://proxy.test/auth" }],
  ]
  for (const [here, there] of rows) {
    const op = createProvider({ faults: [faults.pkceIgnored, faults.redirectUriIgnored] })
    const { browser, session } = await startHereEndThere(mode, [
      { op, given: here },
      { op, given: there },
    ])
    expect([there, outcome(browser), session]).toEqual([there, "InvalidCheck", null])
    expect(op.requestsTo("token")).toEqual([])
  }
})

attack("MIX-03", "a tenant with another host or secret cannot finish the sign-in", async (mode) => {
  const op = createProvider()
  const common = { security: mode, providers: [op.provider({ id: "sso" })], logger: captureLog().logger } as const
  const tenants: readonly (readonly [host: string, secret: string])[] = [
    ["b.app.test", secret],
    ["app.test", secret.split("").toReversed().join("")],
  ]
  for (const [host, theirs] of tenants) {
    const a = visitLazily(() => ({ ...common, secret, trustHost: ["app.test"] }))
    const answer = new URL(await answerOf(op, await begin(a, "sso")))
    const b = visitLazily(() => ({ ...common, secret: theirs, trustHost: [host] }), { origin: `https://${host}` })
    for (const cookie of a.cookies) b.jar.put({ ...cookie, domain: host })
    await b.get(`/auth/callback/sso${answer.search}`, { from: op.issuer })
    expect([outcome(b), await b.session(), op.requestsTo("token")]).toEqual(["InvalidCheck", null, []])
  }
})

attack("MIX-03", "the same tenant in a new configuration can finish the sign-in", async (mode) => {
  const op = createProvider()
  const { browser, session } = await startHereEndThere(mode, [
    { op, given: {} },
    { op, given: {} },
  ])
  expect([outcome(browser), session]).toEqual(["home", expect.anything()])
})

attack("MIX-03", "metadata with the issuer of another tenant are refused", async (mode) => {
  for (const found of ["https://other.test", "https://op.test/other", "https://op.test.evil.test"]) {
    const op = createProvider({ faults: metadata({ issuer: found }) })
    const app = await open([op.provider()], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    expect([outcome(app.browser), op.requestsTo("token")]).toEqual(["Configuration", []])
  }
})
