import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider, faults } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { answerOf, begin, open, outcome, secret } from "../flows/oauth/app.js"
import { attackersCode, expectRefused, metadata, returning, stolen, visitLazily } from "./oauth-setup.js"

attack("CHK-07", "a callback works once even if each request creates its configuration", async (mode) => {
  const op = createProvider({ faults: faults.codeReplay })
  const logger = captureLog().logger
  const fresh = (): AuthConfig => ({
    secret,
    trustHost: ["app.test"],
    security: mode,
    logger,
    providers: [op.provider()],
  })
  const browser = visitLazily(fresh)
  const answer = await answerOf(op, await begin(browser))
  const thief = stolen(browser)
  await browser.get(answer, { from: op.issuer })
  await thief.get(answer, { from: op.issuer })
  expect([outcome(browser), outcome(thief), op.requestsTo("token").length]).toEqual(["home", "InvalidCheck", 1])
})

attack("CHK-04", "a server without S256 causes a warning", async (mode) => {
  for (const methods of [["plain"], undefined]) {
    const op = createProvider({ faults: metadata({ code_challenge_methods_supported: methods }) })
    const { browser, log } = await open([op.provider()], { security: mode })
    for (let count = 0; count < 3; count += 1) await begin(browser)
    expect(log.entries.filter(({ level }) => level === "warn")).toHaveLength(1)
  }
})

attack(
  "CHK-04",
  "without PKCE in the metadata, a provider whose `checks` lack state still gets a check",
  async (mode) => {
    const op = createProvider({ faults: faults.onlyPlainPkceSupport })
    const { authorization: _, ...given } = op.oauthProvider({ issuer: op.issuer, checks: ["pkce"] })
    const app = await open([given], { security: mode })
    const code = await attackersCode(app.browser, op)
    await begin(app.browser)
    await app.browser.get(`/auth/callback/op?${new URLSearchParams({ code, iss: op.issuer })}`, { from: op.issuer })
    await expectRefused(app, "InvalidCheck")
    expect(op.requestsTo("token")).toEqual([])
  },
)

attack("CHK-03", "with plain OAuth 2 a nonce does not replace the state", async (mode) => {
  const op = createProvider()
  const app = await open([op.oauthProvider({ checks: ["nonce"] })], { security: mode })
  const code = await attackersCode(app.browser, op)
  await begin(app.browser)
  await app.browser.get(`/auth/callback/op?${new URLSearchParams({ code })}`, { from: "https://evil.test" })
  await expectRefused(app, "InvalidCheck")
  expect(op.requestsTo("token")).toEqual([])
})

attack("CHK-12", "a request repeated in the token response stays out of the log", async (mode) => {
  for (const name of ["code_verifier", "client_secret", "code"]) {
    const op = createProvider()
    const client = { token_endpoint_auth_method: "client_secret_post" } as const
    const { browser, log } = await open([op.provider({ client })], { security: mode, debug: true })
    let sent = ""
    op.inject({
      answer: ({ endpoint, form }) => {
        if (endpoint !== "token") return undefined
        sent = form.get(name) ?? ""
        return Response.json({ error: "invalid_grant", error_description: `bad ${name}=${sent}` }, { status: 400 })
      },
    })
    await browser.signInWith(op, { as: "ada" })
    log.forbid(sent)
    log.assertClean()
  }
})

attack(
  "MIX-01",
  "with an issuer per tenant the issuer of another server is refused before the token request",
  async (mode) => {
    const tenant = "https://op.test/tenant-1"
    for (const iss of ["https://evil.test", "https://op.test.evil.test/tenant-1", "null"]) {
      const op = createProvider({
        faults: [
          metadata({ issuer: "https://op.test/{tenant}" }),
          { idToken: (token) => ({ ...token, claims: { ...token.claims, iss: tenant } }) },
          returning({ iss }),
        ],
      })
      const app = await open([op.provider({ issuerFor: () => tenant })], { security: mode })
      await app.browser.signInWith(op, { as: "ada" })
      await expectRefused(app, "Configuration")
      expect(op.requestsTo("token")).toEqual([])
    }
  },
)

strictAttack(
  "MIX-02",
  "issuer checks",
  "an `iss` announced in the configuration is required even if the metadata don't announce it",
  async (mode) => {
    const op = createProvider({ issParameter: false })
    const promised = { client: { authorization_response_iss_parameter_supported: true } }
    const app = await open([op.provider(promised)], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "Configuration")
    expect(op.requestsTo("token")).toEqual([])
  },
)

attack("MIX-03", "a sign-in is refused when the endpoints of the same issuer have changed", async (mode) => {
  for (const theirs of [
    { token: "https://evil.test/token" },
    { userinfo: "https://evil.test/userinfo" },
    { jwks_endpoint: "https://evil.test/jwks" },
  ]) {
    const op = createProvider({ faults: faults.issMissing })
    const common = { secret, trustHost: ["app.test"], security: { mode, enforceIssuerChecks: false } } as const
    let more = {}
    const logger = captureLog().logger
    const browser = visitLazily(() => ({ ...common, logger, providers: [op.provider(more)] }))
    const answer = await answerOf(op, await begin(browser))
    more = theirs
    await browser.get(answer, { from: op.issuer })
    expect([theirs, outcome(browser), await browser.session()]).toEqual([theirs, "InvalidCheck", null])
    expect([op.requestsTo("token"), op.requestsTo("elsewhere")]).toEqual([[], []])
  }
})

strictAttack(
  "OAUTH-11",
  "issuer checks",
  "metadata from a `wellKnown` URL must name an issuer on the same host",
  async (mode) => {
    const op = createProvider({ faults: faults.discoveryWrongIssuer, authentication: "private_key_jwt" })
    const { issuer: _, ...given } = op.provider({ token: { clientPrivateKey: await op.clientPrivateKey() } })
    const app = await open([{ ...given, wellKnown: "https://op.test/.well-known/openid-configuration" }], {
      security: mode,
    })
    await app.browser.signInWith(op, { as: "ada" })
    expect([outcome(app.browser), op.requestsTo("token")]).toEqual(["Configuration", []])
  },
)

attack("ADV-BA-19", "other spellings of private addresses are refused too", async (mode) => {
  for (const issuer of [
    "https://[64:ff9b::10.0.0.1]",
    "https://[64:ff9b::a9fe:a9fe]",
    "https://[2002:a00:1::]",
    "https://[fec0::1]",
    "https://[ff02::1]",
    "https://198.18.0.1",
    "https://192.0.0.8",
    "https://224.0.0.1",
    "https://240.0.0.1",
    "https://255.255.255.255",
  ]) {
    const op = createProvider({ issuer })
    const { browser } = await open([op.provider()], { security: mode })
    await begin(browser)
    expect([issuer, outcome(browser), op.requests]).toEqual([issuer, "Configuration", []])
  }
})

strictAttack(
  "T3-14",
  "origin",
  "a public site sends no requests to localhost, unless the configuration says development",
  async () => {
    const spellings = [
      "http://localhost:6379",
      "http://127.0.0.1:6379",
      "https://[::1]",
      "https://a.localhost",
      "https://localhost.",
      "https://a.localhost.",
      "https://127.1",
      "https://0x7f.1",
      "https://2130706433",
      "https://127.0.0.1.",
      "https://[::ffff:7f00:1]",
      "https://[::ffff:127.8.9.10]",
      "https://0.0.0.0",
      "https://[::]",
    ]
    for (const environment of ["production", undefined] as const) {
      for (const issuer of spellings) {
        const op = createProvider({ issuer })
        const { browser } = await open([op.provider()], { security: "strict", environment })
        const csrfToken = (await browser.csrf()) ?? ""
        await browser.post("/auth/signin/op", { csrfToken })
        expect([issuer, op.requests, outcome(browser)]).toEqual([issuer, [], "Configuration"])
      }
    }
  },
)
