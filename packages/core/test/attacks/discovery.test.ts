import { createProvider, frozenClock, hang, type Fault, faults } from "@latchkey/testing"
import { expect, vi } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { begin, flowCookies, open, outcome } from "../flows/oauth/app.js"
import { storedRows, world } from "./openid-setup.js"

const addresses = [
  ["https://op.test", "https://op.test/.well-known/openid-configuration"],
  ["https://op.test/", "https://op.test/.well-known/openid-configuration"],
  ["https://op.test/tenant", "https://op.test/tenant/.well-known/openid-configuration"],
  ["https://op.test/tenant/", "https://op.test/tenant/.well-known/openid-configuration"],
  ["https://op.test:8443/a/b", "https://op.test:8443/a/b/.well-known/openid-configuration"],
] as const

attack("OIDC-15", "the discovery document is fetched below the issuer, once for many sign-ins", async (mode) => {
  for (const [issuer, address] of addresses) {
    const clock = frozenClock()
    const { op, browser } = await world(mode, { op: { issuer }, app: { clock } })
    for (const as of ["ada", "grace", "linus"]) {
      const tab = browser.fresh()
      await tab.signInWith(op, { as })
      expect(outcome(tab)).toBe("home")
      clock.advance({ minutes: 19 })
    }
    expect(op.requestsTo("discovery").map(({ method, url }) => [method, url.href])).toEqual([["GET", address]])
    clock.advance({ minutes: 4 })
    await begin(browser)
    expect(op.requestsTo("discovery")).toHaveLength(2)
  }
})

attack("OIDC-15", "a server that does not respond delays a sign-in by ten seconds at most", async (mode) => {
  const stalled = hang("discovery")
  const alarm = new AbortController()
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(alarm.signal)
  const { op, browser } = await world(mode, { op: { faults: stalled.fault } })
  const done = begin(browser)
  await stalled.reached
  alarm.abort()
  await done
  expect(outcome(browser)).toBe("Configuration")
  expect(timeout).toHaveBeenCalledWith(10_000)
  stalled.release()
  timeout.mockRestore()
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
})

attack("OIDC-15", "a redirect, a page or an endless response instead of the document is refused", async (mode) => {
  for (const name of ["discoveryRedirect", "discoveryHtml", "discoveryOversized", "discoveryServerError"] as const) {
    const its = await world(mode)
    const undo = its.op.inject(faults[name])
    await begin(its.browser)
    expect(outcome(its.browser)).toBe("Configuration")
    expect([its.op.requestsTo("elsewhere"), its.op.authorizations, flowCookies(its.browser)]).toEqual([[], [], []])
    undo()
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(outcome(its.browser)).toBe("home")
  }
})

function naming(issuer: unknown): Fault {
  return { discovery: (answer) => ({ ...answer, body: { ...answer.body, issuer } }) }
}

/** The sign-in ends before the redirect and stores nothing. Once the document is corrected, the sign-in works. */
async function expectStopped(mode: Mode, issuer: unknown, fates: readonly string[]): Promise<void> {
  const { op, browser, adapter, log } = await world(mode)
  const undo = op.inject(naming(issuer))
  for (const count of [1, 2]) {
    await browser.signInWith(op, { as: "ada" })
    expect(browser.trail[0]?.status).toBe(302)
    expect(fates).toContain(outcome(browser))
    expect(op.authorizations).toEqual([])
    expect(op.requests.map(({ endpoint }) => endpoint)).toEqual(Array(count).fill("discovery"))
    expect(flowCookies(browser)).toEqual([])
    expect(storedRows(adapter)).toEqual({ users: [], accounts: [], sessions: [] })
  }
  expect(log.entries.some(({ level, text }) => level === "error" && text.includes("issuer"))).toBe(true)
  undo()
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
}

attack("OIDC-17", "metadata with another issuer end the sign-in before the redirect", async (mode) => {
  const others = [
    "https://evil",
    "https://evil.test",
    "https://op.test.evil.test",
    "https://op.test/tenant",
    "http://op.test",
    "https://op.test:444",
    "https://user@op.test",
    "https://op.test?tenant=1",
    "https://op.test#",
    "op.test",
    "javascript:alert(1)",
  ]
  for (const issuer of others) await expectStopped(mode, issuer, ["Configuration"])
})

attack("OIDC-17", "metadata without an issuer end the sign-in", async (mode) => {
  for (const issuer of [undefined, null, "", 1, ["https://op.test"], { url: "https://op.test" }]) {
    await expectStopped(mode, issuer, ["Configuration"])
  }
})

/** Equal to the issuer for a URL parser, but issuers are compared as strings (RFC 8414 §3.3). */
const spellings = ["https://op.test/", "https://OP.test", "https://op.test:443", " https://op.test", "HTTPS://op.test"]

strictAttack(
  "OIDC-17",
  "issuer checks",
  "an issuer that differs by a slash or by case is a different issuer",
  async () => {
    for (const issuer of spellings) await expectStopped("strict", issuer, ["Configuration"])
  },
)

attack(
  "OIDC-17",
  "an issuer spelled differently from the metadata is refused before the token request",
  async (mode) => {
    for (const issuer of spellings) {
      const { op, browser, adapter } = await world(mode)
      op.inject(naming(issuer))
      await browser.signInWith(op, { as: "ada" })
      expect(["Configuration"]).toContain(outcome(browser))
      expect([await browser.session(), storedRows(adapter)]).toEqual([null, { users: [], accounts: [], sessions: [] }])
      expect(op.requestsTo("token")).toEqual([])
    }
  },
)

attack("OIDC-17", "issuers with paths are compared in full", async (mode) => {
  for (const [issuer, found] of [
    ["https://op.test/a", "https://op.test/b"],
    ["https://op.test/a", "https://op.test/A"],
    ["https://op.test/a", "https://op.test"],
    ["https://op.test/a", "https://op.test/a/b"],
  ] as const) {
    const { op, browser } = await world(mode, { op: { issuer } })
    op.inject(naming(found))
    await begin(browser)
    expect(outcome(browser)).toBe("Configuration")
    expect(op.authorizations).toEqual([])
  }
})

attack("OIDC-17", "the discovery document of one provider is not used for another with the same URL", async (mode) => {
  const op = createProvider()
  const lenient = op.provider({
    id: "lenient",
    issuer: "https://evil.test",
    wellKnown: "https://op.test/.well-known/openid-configuration",
  })
  const { browser } = await open([op.provider(), lenient], { security: mode })
  await browser.fresh().signInWith(op, { as: "ada" })
  await begin(browser, "lenient")
  expect(outcome(browser)).toBe("Configuration")
})

const aliases: Fault = {
  discovery: (answer) => ({
    ...answer,
    body: {
      ...answer.body,
      mtls_endpoint_aliases: {
        token_endpoint: "https://mtls.evil.test/token",
        userinfo_endpoint: "https://mtls.evil.test/userinfo",
        jwks_uri: "https://mtls.evil.test/jwks",
      },
    },
  }),
}

attack("OIDC-32", "endpoints for mutual TLS are ignored", async (mode) => {
  const { op, browser } = await world(mode, { provider: { idToken: false } })
  op.inject(aliases)
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(op.requestsTo("elsewhere")).toEqual([])
  expect(op.requestsTo("token").map(({ url }) => url.href)).toEqual(["https://op.test/token"])
})
