import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createProvider, frozenClock, hang, faults, visit } from "@latchkey/testing"
import type { Browser, FakeProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { answerOf, begin, flowCookies, open, outcome, secret } from "../flows/oauth/app.js"
import { returning, shown, stolen } from "./oauth-setup.js"

attack("CHK-07", "a callback works once, even if the provider would accept its code again", async (mode) => {
  const op = createProvider({ faults: faults.codeReplay })
  for (const error of [undefined, "access_denied"]) {
    const { browser } = await open([op.provider()], { security: mode })
    const answer = await answerOf(op, await begin(browser))
    const [copy, early] = [stolen(browser), stolen(browser)]
    const asked = op.requestsTo("token").length
    const first = error === undefined ? answer : `${answer}&error=${error}`
    await browser.get(first, { from: op.issuer })
    for (const thief of [copy, early, browser, stolen(copy)]) {
      await thief.get(answer, { from: op.issuer })
      expect(outcome(thief)).toBe("InvalidCheck")
    }
    expect(await copy.session()).toBeNull()
    expect(op.requestsTo("token")).toHaveLength(asked + (error === undefined ? 1 : 0))
  }
})

attack("CHK-07", "a callback cannot be repeated while the first one is in progress", async (mode) => {
  const slow = hang("token")
  const op = createProvider({ faults: [faults.codeReplay, slow.fault] })
  const { browser } = await open([op.provider()], { security: mode })
  const answer = await answerOf(op, await begin(browser))
  const thief = stolen(browser)
  const done = browser.get(answer, { from: op.issuer })
  await slow.reached
  await thief.get(answer, { from: op.issuer })
  slow.release()
  await done
  expect([outcome(browser), outcome(thief), op.requestsTo("token").length]).toEqual(["home", "InvalidCheck", 1])
})

/** Callback outcomes. All but the last one end without a session. */
const outcomes = {
  "the user denies consent": (browser: Browser, op: FakeProvider) => browser.consentAt(op, { error: "access_denied" }),
  "the code is wrong": async (browser: Browser, op: FakeProvider) => {
    op.inject(faults.codeUnknown)
    await browser.consentAt(op, { as: "ada" })
  },
  "the issuer is wrong": async (browser: Browser, op: FakeProvider) => {
    op.inject(faults.issMismatch)
    await browser.consentAt(op, { as: "ada" })
  },
  "the response is malformed": async (browser: Browser, op: FakeProvider) => {
    op.inject(returning({ code: "a\nb" }))
    await browser.consentAt(op, { as: "ada" })
  },
  "an honest response": (browser: Browser, op: FakeProvider) => browser.consentAt(op, { as: "ada" }),
} as const

async function expectCleared(browser: Browser): Promise<void> {
  const lines = browser.trail[0]?.headers.getSetCookie() ?? []
  const [cleared, ...others] = lines.filter((line) => line.includes("authjs.state."))
  expect(cleared).toMatch(/^__(?:Secure|Host)-authjs\.state\.[\w-]{10}=;.*Max-Age=0/)
  for (const attribute of ["Path=/", "HttpOnly", "Secure"]) expect(cleared).toContain(attribute)
  expect([others, flowCookies(browser)]).toEqual([[], []])
}

attack("CHK-08", "every outcome of the callback deletes the cookie of the sign-in", async (mode) => {
  for (const [name, end] of Object.entries(outcomes)) {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security: mode })
    await begin(browser)
    await end(browser, op)
    expect([name, await browser.session()]).toEqual([name, name === "an honest response" ? expect.anything() : null])
    await expectCleared(browser)
  }
})

attack(
  "CHK-08",
  "the cookie is deleted when the adapter fails, a callback refuses or redirects, or a hook throws",
  async (mode) => {
    const down = () => Promise.reject(new Error("the database is down"))
    const { transaction: _, rows: __, ...store } = memoryAdapter()
    const op = createProvider()
    const providers = [op.provider()]
    const common = { secret, trustHost: ["app.test"], security: mode, adapter: store, providers } as const
    const configs = [
      { adapter: { ...store, getUserByAccount: down } },
      { adapter: { ...store, createUser: down } },
      { adapter: { ...store, linkAccount: down } },
      { adapter: { ...store, createSession: down } },
      { callbacks: { signIn: () => false } },
      { callbacks: { signIn: () => "/waitlist" } },
      { callbacks: { signIn: () => Promise.reject(new Error("no")) } },
      { providers: [op.provider({ profile: () => Promise.reject(new Error("no")) })] },
      { providers: [op.provider({ token: { request: () => Promise.reject(new Error("no")) } })] },
    ]
    for (const config of configs) {
      const browser = await visit({ ...common, ...config })
      await begin(browser)
      await browser.consentAt(op, { as: "ada" })
      expect(await browser.session()).toBeNull()
      await expectCleared(browser)
    }
  },
)

attack("CHK-09", "sign-ins in several tabs all succeed, in any order", async (mode) => {
  for (const order of [
    [0, 1],
    [1, 0],
    [4, 2, 0, 1, 3],
  ]) {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security: mode })
    const tabs = order.map(() => browser.clone())
    for (const tab of tabs) await begin(tab)
    for (const at of order) {
      const tab = tabs[at] ?? browser
      await tab.consentAt(op, { as: "ada" })
      expect(outcome(tab)).toBe("home")
    }
    expect(flowCookies(browser)).toEqual([])
  }
})

attack("CHK-09", "the last five of more than five started sign-ins succeed", async (mode) => {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const { browser } = await open([op.provider()], { security: mode, clock })
  const tabs = Array.from({ length: 8 }, () => browser.clone())
  for (const tab of tabs) {
    await begin(tab)
    clock.advance({ seconds: 1 })
    expect(flowCookies(browser).length).toBeLessThanOrEqual(5)
  }
  for (const tab of tabs) await tab.consentAt(op, { as: "ada" })
  expect(tabs.map(outcome)).toEqual([...Array(3).fill("InvalidCheck"), ...Array(5).fill("home")])
})

attack("CHK-09", "a user who returns to the form or loses a cookie can sign in at the second try", async (mode) => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { security: mode })
  await browser.get("/auth/signin")
  const [form] = browser.forms
  const again = async () => {
    await browser.post(form?.action ?? "", form?.fields ?? {}, { from: "https://app.test/auth/signin" })
    // The CSRF token of an old form may be outdated. The error page then has a form with a new one.
    if (outcome(browser) === "MissingCSRF") await browser.submitForm("/signin/op")
    await browser.consentAt(op, { as: "ada" })
  }
  await again()
  expect(outcome(browser)).toBe("home")
  // The user goes back to the form that the browser kept.
  await again()
  expect(outcome(browser)).toBe("home")
  // Without a flow cookie, the error page links to a new sign-in.
  await browser.get(`/auth/callback/op?code=a&state=${"b".repeat(43)}`)
  expect([outcome(browser), browser.response.status]).toEqual(["InvalidCheck", 400])
  expect(shown(browser)).toContain("/auth/signin")
  await again()
  expect(outcome(browser)).toBe("home")
})
