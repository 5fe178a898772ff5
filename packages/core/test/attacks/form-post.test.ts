import { faults } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { begin, flowCookies, outcome } from "../flows/oauth/app.js"
import { callback, formOf, world } from "./form-post-setup.js"
import { claiming, storedRows } from "./openid-setup.js"

attack("OIDC-26", "a response posted from the provider signs in, with state, nonce and PKCE", async (mode) => {
  const { op, browser, adapter } = await world(mode)
  await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/inside?tab=2" } })
  expect(browser.location).toBe("https://app.test/inside?tab=2")
  expect(await browser.session()).not.toBeNull()
  const [asked] = op.authorizations
  const [token] = op.requestsTo("token")
  expect([asked?.["state"], asked?.["nonce"], asked?.["code_challenge_method"]]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
    "S256",
  ])
  expect(token?.form.get("code_verifier")).toMatch(/^[\w-]{43}$/)
  expect(flowCookies(browser)).toEqual([])
  expect(adapter.rows().accounts).toHaveLength(1)
})

attack("OIDC-26", "state, nonce and PKCE are each checked in a posted response", async (mode) => {
  const { op, browser, adapter } = await world(mode)
  const cheats = [
    [faults.stateMissing, "InvalidCheck"],
    [faults.stateWrong, "InvalidCheck"],
    [claiming({ nonce: undefined }), "Configuration"],
    [claiming({ nonce: "other" }), "Configuration"],
    [faults.issMismatch, "Configuration"],
  ] as const
  for (const [fault, fate] of cheats) {
    const undo = op.inject(fault)
    const tab = browser.fresh()
    await tab.signInWith(op, { as: "ada" })
    undo()
    expect([outcome(tab), await tab.session()]).toEqual([fate, null])
  }
  const tab = browser.fresh()
  const fields = await formOf(op, await begin(tab))
  const later = await formOf(op, await begin(browser.fresh()), "grace")
  await tab.post(callback, { ...fields, code: later["code"] ?? "" }, { from: op.issuer })
  expect(outcome(tab)).toBe("Configuration")
  expect(storedRows(adapter)).toEqual({ users: [], accounts: [], sessions: [] })
})

attack("OIDC-26", "a posted response links the account to the signed-in user", async (mode) => {
  const { op, other, browser, adapter } = await world(mode)
  await browser.signInWith(other, { as: "grace" })
  const session = browser.cookies.find(({ name }) => name.includes("session-token"))
  expect(session?.sameSite).toBe("lax")
  await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/inside", link: "true" } })
  expect(browser.location).toBe("https://app.test/inside")
  const { users, accounts } = adapter.rows()
  expect(accounts.map(({ provider, userId }) => [provider, userId])).toEqual([
    ["other", users[0]?.id],
    ["op", users[0]?.id],
  ])
  expect([users.length, flowCookies(browser)]).toEqual([1, []])
})

attack("OIDC-26", "with `form_post` no URL contains the code or the secrets of the state", async (mode) => {
  const { op, other, browser } = await world(mode)
  await browser.signInWith(other, { as: "grace" })
  await browser.signInWith(op, { as: "ada", fields: { link: "true" } })
  const code = op.requestsTo("token")[0]?.form.get("code") ?? ""
  const statuses = browser.trail.map(({ status }) => status)
  expect([302, 303]).toContain(statuses[0])
  const addresses = browser.trail.map(({ headers }) => headers.get("location") ?? "")
  expect(addresses[0]).toMatch(/^https:\/\/app\.test\/auth\/callback\/op\?state=[\w-]{43}$/)
  expect(code).toMatch(/^code-/)
  expect(addresses.filter((address) => address.includes(code))).toEqual([])
})

attack("OIDC-26", "a form posted to a browser that started no sign-in does not sign in", async (mode) => {
  const { op, other, browser, adapter } = await world(mode)
  const fields = await formOf(op, await begin(browser.fresh()), "linus")
  const victim = browser.fresh()
  await victim.signInWith(other, { as: "grace" })
  const before = [await victim.session(), adapter.rows().accounts]
  await victim.post(callback, fields, { from: "https://evil.test" })
  expect(outcome(victim)).toBe("InvalidCheck")
  expect([await victim.session(), adapter.rows().accounts]).toEqual(before)
  expect(op.requestsTo("token")).toEqual([])
})

attack("OIDC-26", "only the flow cookie is SameSite=None, and it is encrypted", async (mode) => {
  const { op, other, browser } = await world(mode)
  await browser.signInWith(other, { as: "grace" })
  await begin(browser)
  const across = browser.cookies.filter(({ sameSite }) => sameSite === "none")
  expect(across.map(({ name, secure, httpOnly }) => [name, secure, httpOnly])).toEqual([
    [flowCookies(browser)[0], true, true],
  ])
  const { state = "none", nonce = "none" } = op.authorizations[0] ?? {}
  const value = across[0]?.value ?? ""
  expect([value.includes(state), value.includes(nonce), value.split(".").length]).toEqual([false, false, 5])
})

attack("OIDC-27", "a posted error leads to the sign-in page and ends the sign-in", async (mode) => {
  const { op, browser, adapter } = await world(mode, { prompt: "none", max_age: "0" })
  await browser.signInWith(op, { as: "ada" })
  expect(browser.trail[0]?.status).toBe(302)
  expect(browser.location).toMatch(/^https:\/\/app\.test\/auth\/signin\?(?:.*&)?error=OAuthCallbackError(?:&|$)/)
  expect(browser.response.status).toBe(200)
  expect(flowCookies(browser)).toEqual([])
  expect(op.requestsTo("token")).toEqual([])
  expect([await browser.session(), storedRows(adapter)]).toEqual([null, { users: [], accounts: [], sessions: [] }])
})

attack("OIDC-27", "no posted error causes a 5xx or appears on the page", async (mode) => {
  const errors = ["login_required", "access_denied", "x".repeat(1024), "<script>alert(1)</script>", "Configuration"]
  for (const error of errors) {
    const { op, browser, log } = await world(mode)
    await begin(browser)
    await browser.consentAt(op, { error, description: "<img src=x onerror=alert(1)>" })
    expect(outcome(browser)).toBe("OAuthCallbackError")
    expect(browser.trail.every(({ status }) => status < 500)).toBe(true)
    expect(browser.text).not.toMatch(/<script>alert|<img src=x|login_required|access_denied/)
    expect(flowCookies(browser)).toEqual([])
    expect(log.entries.some(({ level, text }) => level === "error" && text.includes(error.slice(0, 100)))).toBe(true)
  }
})

attack("OIDC-27", "an error with an unknown state, or without one, ends no sign-in", async (mode) => {
  const { op, browser } = await world(mode)
  const at = await begin(browser)
  const cookies = flowCookies(browser)
  const tab = browser.clone()
  for (const fields of [{ error: "access_denied" }, { error: "access_denied", state: "the-state-of-another-user" }]) {
    await tab.post(callback, fields, { from: "https://evil.test" })
    expect(outcome(tab)).toBe("InvalidCheck")
    expect(flowCookies(browser)).toEqual(cookies)
  }
  await browser.post(callback, await formOf(op, at), { from: op.issuer })
  expect(outcome(browser)).toBe("home")
})

attack("OIDC-27", "an error does not change the current session", async (mode) => {
  const { op, other, browser, adapter } = await world(mode)
  await browser.signInWith(other, { as: "grace" })
  const before = [await browser.session(), adapter.rows().accounts]
  await begin(browser)
  await browser.consentAt(op, { error: "login_required" })
  expect(outcome(browser)).toBe("OAuthCallbackError")
  expect([await browser.session(), adapter.rows().accounts, flowCookies(browser)]).toEqual([...before, []])
})
