import { createProvider, type Fault, faults } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { open, outcome } from "../flows/oauth/app.js"
import { encoded } from "./keys-setup.js"
import { expectAccepted, expectRefused, type Setting, world } from "./openid-setup.js"

const fromUserinfo: Setting = { provider: { idToken: false } }
const signed: Setting = { ...fromUserinfo, op: { userinfo: "jwt" } }

function answering(change: Readonly<Record<string, unknown>>): Fault {
  return { userinfo: (answer) => ({ ...answer, body: { ...answer.body, ...change } }) }
}

const wrongSubjects = ["other", undefined, "", null, 1, "ADA", "ada ", ["ada"], { sub: "ada" }]

attack("OIDC-11", "userinfo about another subject, or without one, is refused", async (mode) => {
  for (const sub of wrongSubjects) await expectRefused(mode, answering({ sub }), fromUserinfo)
  for (const sub of wrongSubjects) {
    await expectRefused(mode, { signedUserinfo: (token) => ({ ...token, claims: { ...token.claims, sub } }) }, signed)
  }
})

attack("OIDC-11", "userinfo about another subject is refused even if `profile()` uses another claim", async (mode) => {
  const profile = ({ id }: { readonly [claim: string]: unknown }) => ({ id: String(id) })
  const setting = { provider: { idToken: false, profile } }
  await expectRefused(mode, answering({ sub: "other", id: "ada" }), { provider: { idToken: false } })
  const { op, browser, adapter } = await world(mode, setting)
  op.inject(answering({ sub: "other", id: "ada" }))
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  expect([await browser.session(), adapter.rows().users]).toEqual([null, []])
})

attack("OIDC-11", "a `userinfo.request` that returns another subject is refused too", async (mode) => {
  for (const sub of ["other", "", 1, "ADA"]) {
    const { op, browser, adapter } = await world(mode, {
      provider: { idToken: false, userinfo: { request: () => ({ sub, email: "mallory@example.test" }) } },
    })
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("Configuration")
    expect(adapter.rows().users).toEqual([])
  }
})

attack("OIDC-11", "the user is the subject of the ID token, not of the access token", async (mode) => {
  const swapped: Fault = { idToken: (token) => ({ ...token, claims: { ...token.claims, sub: "grace" } }) }
  await expectRefused(mode, swapped, fromUserinfo)
})

type Change = NonNullable<Fault["signedUserinfo"]>

const badUserinfo: readonly (readonly [string, Change])[] = [
  ["bad signature", (token) => ({ ...token, key: "stray" })],
  ["alg none", (token) => ({ ...token, header: { ...token.header, alg: "none" } })],
  ["MAC with the public key", (token) => ({ ...token, header: { ...token.header, alg: "HS256" }, key: "published" })],
  ["MAC with the client secret", (token) => ({ ...token, header: { ...token.header, alg: "HS256" } })],
  ["another algorithm", (token) => ({ ...token, header: { ...token.header, alg: "PS256" }, key: "stray" })],
  ["wrong aud", (token) => ({ ...token, claims: { ...token.claims, aud: "other" } })],
  ["wrong aud list", (token) => ({ ...token, claims: { ...token.claims, aud: ["other"] } })],
  ["wrong iss", (token) => ({ ...token, claims: { ...token.claims, iss: "https://evil.test" } })],
  ["iss with a slash", (token) => ({ ...token, claims: { ...token.claims, iss: "https://op.test/" } })],
  ["expired", (token) => ({ ...token, claims: { ...token.claims, exp: 1 } })],
  ["not yet valid", (token) => ({ ...token, claims: { ...token.claims, nbf: 99_999_999_999 } })],
  ["critical header", (token) => ({ ...token, header: { ...token.header, crit: ["x"], x: 1 } })],
  ["unknown key", (token) => ({ ...token, header: { ...token.header, kid: "unknown" }, key: "stray" })],
  ["unsigned by hand", ({ claims }) => `${encoded({ alg: "none" })}.${encoded(claims)}.`],
  ["signature removed", ({ header, claims }) => `${encoded(header)}.${encoded(claims)}.`],
  ["no token", () => "not a token"],
]

attack("OIDC-25", "signed userinfo is accepted if the provider signed it for our client", async (mode) => {
  await expectAccepted(mode, {}, signed)
  await expectAccepted(mode, {}, { ...signed, op: { userinfo: "jwt", algorithm: "ES256" } })
  await expectAccepted(mode, {}, { ...signed, op: { userinfo: "jwt", algorithm: "HS256" } })
})

attack("OIDC-25", "signed userinfo is refused when signature, algorithm, issuer or audience is wrong", async (mode) => {
  for (const [, signedUserinfo] of badUserinfo) await expectRefused(mode, { signedUserinfo }, signed)
})

attack(
  "OIDC-25",
  "plain userinfo is refused if signed userinfo is configured, whatever its content type",
  async (mode) => {
    const types = ["application/json", "application/jwt", "application/jwt+json", "Application/JWT", "text/plain", ""]
    for (const type of types) {
      const plain = () =>
        new Response(JSON.stringify({ sub: "ada", email: "mallory@example.test" }), {
          headers: { "content-type": type },
        })
      await expectRefused(mode, { userinfo: plain }, signed)
    }
  },
)

attack("OIDC-25", "an unsigned JWT is refused as userinfo, whatever its content type", async (mode) => {
  const unsigned = `${encoded({ alg: "none" })}.${encoded({ sub: "ada", email: "mallory@example.test" })}.`
  for (const type of ["application/jwt", "application/jwt; charset=utf-8", "APPLICATION/JWT", "application/json"]) {
    const userinfo = () => new Response(unsigned, { headers: { "content-type": type } })
    await expectRefused(mode, { userinfo }, fromUserinfo)
  }
})

attack("OIDC-25", "signed userinfo is refused if the provider publishes no keys", async (mode) => {
  const { op, browser, adapter } = await world(mode, signed)
  op.inject(faults.noJwksUri)
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  expect(adapter.rows().users).toEqual([])
})

attack(
  "OIDC-31",
  "the access token is sent in the header, and appears in no URL, page, cookie or log",
  async (mode) => {
    const { op, browser, log } = await world(mode, { ...fromUserinfo, app: { debug: true } })
    const tokens: string[] = []
    op.inject({
      token: (answer) => {
        for (const name of ["access_token", "id_token", "refresh_token"]) tokens.push(String(answer.body[name]))
        return answer
      },
    })
    await browser.signInWith(op, { as: "ada" })
    const [access = ""] = tokens
    const [request] = op.requestsTo("userinfo")
    expect(tokens).toHaveLength(3)
    expect(request?.headers.get("authorization")).toBe(`Bearer ${access}`)
    expect([request?.method, request?.url.href, request?.body]).toEqual(["GET", "https://op.test/userinfo", ""])
    const said = [browser.text, JSON.stringify(await browser.session()), ...op.requests.map(({ url }) => url.href)]
    const trail = browser.trail.flatMap(({ headers }) => [...headers.values()])
    for (const token of tokens) expect([...said, ...trail].filter((text) => text.includes(token))).toEqual([])
    log.forbid(...tokens)
    log.assertClean()
  },
)

attack("OIDC-31", "an error at the userinfo endpoint does not bring the access token into the log", async (mode) => {
  const failures = ["userinfo401", "userinfo500", "userinfoHtml", "userinfoRedirect", "userinfoUnreachable"] as const
  for (const name of failures) {
    const op = createProvider({ faults: faults[name] })
    const { browser, log } = await open([op.provider({ idToken: false })], { security: mode, debug: true })
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("Configuration")
    const sent = op.requestsTo("userinfo")[0]?.headers.get("authorization")?.slice("Bearer ".length) ?? ""
    log.forbid(sent)
    log.assertClean()
    expect(op.requestsTo("elsewhere")).toEqual([])
    expect(browser.location).not.toContain(sent)
  }
})

attack(
  "OIDC-31",
  "with plain OAuth 2 the access token is sent in the header too, next to query parameters",
  async (mode) => {
    const op = createProvider()
    const userinfo = { url: "https://op.test/userinfo", params: { fields: "name" } }
    const { browser } = await open([op.oauthProvider({ userinfo })], { security: mode })
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
    const [request] = op.requestsTo("userinfo")
    expect(request?.url.search).toBe("?fields=name")
    expect(request?.headers.get("authorization")).toMatch(/^Bearer access-/)
  },
)

const sources = {
  _claim_names: { email: "internal", sub: "internal", email_verified: "inline" },
  _claim_sources: {
    internal: { endpoint: "http://169.254.169.254/latest/meta-data/", access_token: "token" },
    inline: { JWT: `${encoded({ alg: "none" })}.${encoded({ sub: "grace", email_verified: true })}.` },
  },
}

attack("OIDC-32", "distributed claims are not fetched and have no effect", async (mode) => {
  const claimed: Fault = { idToken: (token) => ({ ...token, claims: { ...token.claims, ...sources } }) }
  for (const [fault, setting] of [
    [claimed, {}],
    [answering(sources), fromUserinfo],
    [{ ...claimed, ...answering(sources) }, fromUserinfo],
  ] as const) {
    const { op, adapter } = await expectAccepted(mode, fault, setting)
    expect(op.requestsTo("elsewhere")).toEqual([])
    expect(adapter.rows().users.map(({ email }) => email)).toEqual(["ada@example.test"])
  }
})
