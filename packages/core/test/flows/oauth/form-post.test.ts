import { createProvider } from "@latchkey/testing"
import type { FakeProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { begin, flowCookies, modes, open, outcome } from "./app.js"

function formPost(op: FakeProvider) {
  return op.provider({ authorization: { params: { response_mode: "form_post" } } })
}

async function fieldsOf(op: FakeProvider, at: URL, as = "ada"): Promise<Readonly<Record<string, string>>> {
  const answer = await op.authorize(at, { as })
  if (answer.method === "POST") return answer.fields
  throw new Error("The provider answered with a redirect")
}

describe.each(modes)("under %s security", (security) => {
  test("a cross-site form post finds its sign-in and callback URL", async () => {
    const op = createProvider()
    const { browser } = await open([formPost(op)], { security })
    await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/inside" } })
    expect(browser.location).toBe("https://app.test/inside")
    expect(await browser.session()).not.toBeNull()
    expect(flowCookies(browser)).toEqual([])
  })

  test("only the cookie of the sign-in is sent across sites", async () => {
    const op = createProvider()
    const { browser } = await open([formPost(op)], { security })
    await begin(browser)
    const across = browser.cookies.filter(({ sameSite }) => sameSite === "none")
    expect(across.map(({ name, secure, httpOnly }) => [name, secure, httpOnly])).toEqual([
      [flowCookies(browser)[0], true, true],
    ])
  })

  test("an error as a form post ends the sign-in", async () => {
    const op = createProvider()
    const { browser } = await open([formPost(op)], { security })
    await begin(browser)
    await browser.consentAt(op, { error: "login_required" })
    expect(outcome(browser)).toBe("OAuthCallbackError")
    expect(flowCookies(browser)).toEqual([])
  })

  test("a form post works once", async () => {
    const op = createProvider()
    const { browser } = await open([formPost(op)], { security })
    const fields = await fieldsOf(op, await begin(browser))
    const thief = browser.fresh()
    for (const cookie of browser.cookies) thief.jar.put(cookie)
    await browser.post("/auth/callback/op", fields, { from: op.issuer })
    await thief.post("/auth/callback/op", fields, { from: op.issuer })
    expect([outcome(browser), outcome(thief)]).toEqual(["home", "InvalidCheck"])
    expect(op.requestsTo("token")).toHaveLength(1)
  })

  test("a form post from another site is refused", async () => {
    const op = createProvider()
    const { browser } = await open([formPost(op)], { security })
    const victim = browser.fresh()
    const fields = await fieldsOf(op, await begin(browser), "grace")
    await victim.post("/auth/callback/op", fields, { from: "https://evil.test" })
    expect(outcome(victim)).toBe("InvalidCheck")
    expect([await victim.session(), op.requestsTo("token")]).toEqual([null, []])
  })

  test("a form post is accepted even without response_mode=form_post", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    const at = await begin(browser)
    const answer = await op.authorize(at, { as: "ada" })
    const fields = answer.method === "GET" ? Object.fromEntries(new URL(answer.location).searchParams) : {}
    await browser.post("/auth/callback/op", fields, { from: "https://app.test" })
    expect(outcome(browser)).toBe("home")
  })
})

describe("a sign-in that began while signed in", () => {
  async function signedIn() {
    const other = createProvider({ id: "other", issuer: "https://other.test" })
    const op = createProvider()
    const app = await open([other.provider(), formPost(op)])
    await app.browser.signInWith(other, { as: "grace" })
    return { ...app, op, other }
  }

  test("repeats the request from the application's own site, which has the session, and links", async () => {
    const { browser, adapter, op } = await signedIn()
    await browser.signInWith(op, { as: "ada" })
    expect(browser.trail.map(({ status }) => status)).toEqual([302, 302, 200])
    expect(outcome(browser)).toBe("home")
    const { users, accounts } = adapter.rows()
    expect(users).toHaveLength(1)
    expect(accounts.map(({ provider, userId }) => [provider, userId])).toEqual([
      ["other", users[0]?.id],
      ["op", users[0]?.id],
    ])
    expect(flowCookies(browser)).toEqual([])
  })

  test("works without checks, too, when the response has no `state`", async () => {
    const op = createProvider()
    const withoutChecks = { ...formPost(op), checks: ["none" as const] }
    const { browser } = await open([withoutChecks], { security: "compatible" })
    await browser.signInWith(op, { as: "grace" })
    await browser.signInWith(op, { as: "grace" })
    expect(outcome(browser)).toBe("home")
    expect(await browser.session()).toMatchObject({ user: { name: "Grace Hopper" } })
  })

  test("has no URL that contains the code", async () => {
    const { browser, op } = await signedIn()
    await browser.signInWith(op, { as: "ada" })
    const code = op.requestsTo("token")[0]?.form.get("code") ?? ""
    const addresses = browser.trail.map(({ headers }) => headers.get("location") ?? "")
    expect(code).not.toBe("")
    expect(addresses.filter((address) => address.includes(code))).toEqual([])
    expect(addresses[0]).toMatch(/^https:\/\/app\.test\/auth\/callback\/op\?state=[\w-]{43}$/)
    const kept = (browser.trail[0]?.headers.getSetCookie() ?? []).filter((line) => line.includes("authjs.state."))
    expect(kept.map((line) => /^[^=]+?(\.p)?=[^;]*; Max-Age=(\d+);/.exec(line)?.slice(1))).toEqual([
      [undefined, "0"],
      [undefined, "60"],
      [".p", "60"],
    ])
  })

  test("signs in without linking after a sign-out", async () => {
    const { browser, adapter, op } = await signedIn()
    const tab = browser.clone()
    await begin(tab)
    await browser.signOut()
    await tab.consentAt(op, { as: "ada" })
    expect(outcome(tab)).toBe("home")
    expect(adapter.rows().users).toHaveLength(2)
  })

  test("is refused after another user signs in", async () => {
    const { browser, adapter, op, other } = await signedIn()
    const tab = browser.clone()
    await begin(tab)
    await browser.signOut()
    await browser.signInWith(other, { as: "linus" })
    await tab.consentAt(op, { as: "ada" })
    expect(outcome(tab)).toBe("InvalidCheck")
    expect(adapter.rows().accounts.filter(({ provider }) => provider === "op")).toEqual([])
  })
})

describe("a form post is handled without another request", () => {
  const crossSite = { sessionToken: { options: { sameSite: "none" as const } } }
  const long = { authorize: (params: Readonly<Record<string, string>>) => ({ ...params, code: "c".repeat(4096) }) }

  test("without a session", async () => {
    const op = createProvider()
    const { browser } = await open([formPost(op)])
    await browser.signInWith(op, { as: "ada" })
    expect([browser.trail.map(({ status }) => status), outcome(browser)]).toEqual([[302, 200], "home"])
  })

  test.each([
    ["when the session travels across sites", { cookies: crossSite }, {}, undefined, "home", 200],
    ["when it is an error", {}, {}, "login_required", "OAuthCallbackError", 200],
    ["when it is too long for a cookie", {}, long, undefined, "Configuration", 500],
  ] as const)("%s", async (_, config, faults, error, fate, status) => {
    const op = createProvider({ faults })
    const other = createProvider({ id: "other", issuer: "https://other.test" })
    const { browser } = await open([other.provider(), formPost(op)], config)
    await browser.signInWith(other, { as: "grace" })
    await begin(browser)
    await browser.consentAt(op, error === undefined ? { as: "ada" } : { error })
    expect([browser.trail.map(({ status }) => status), outcome(browser)]).toEqual([[302, status], fate])
    expect(browser.trail[0]?.headers.getSetCookie().filter((line) => line.includes(".p="))).toEqual([])
  })
})
