import { createProvider, frozenClock, faults } from "@latchkey/testing"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { answerOf, begin, flowCookies, modes, open, outcome } from "./app.js"

/** Another browser with copies of these cookies. */
function stolen(browser: Browser, from = browser): Browser {
  const thief = browser.fresh()
  for (const cookie of from.cookies) thief.jar.put(cookie)
  return thief
}

describe.each(modes)("under %s security", (security) => {
  test("a sign-in has one sealed cookie, named by the end of its state", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    const state = (await begin(browser)).searchParams.get("state") ?? ""
    const [cookie, ...others] = browser.cookies.filter(({ name }) => name.includes("state"))
    expect(cookie).toMatchObject({
      name: `__Host-authjs.state.${state.slice(-10)}`,
      secure: true,
      httpOnly: true,
      sameSite: "lax",
      path: "/",
    })
    expect(others).toEqual([])
    expect(cookie?.value).not.toContain(state)
    await browser.consentAt(op, { as: "ada" })
    expect(flowCookies(browser)).toEqual([])
  })

  test("sign-ins in two tabs both succeed, in either order", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    const tab = browser.clone()
    await begin(browser)
    await begin(tab)
    await tab.consentAt(op, { as: "ada" })
    expect(outcome(tab)).toBe("home")
    await browser.consentAt(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
    expect(flowCookies(browser)).toEqual([])
  })

  test("each tab returns to its own callback URL", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    const tab = browser.clone()
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/signin/op", { csrfToken, callbackUrl: "/one" })
    await tab.post("/auth/signin/op", { csrfToken, callbackUrl: "/two" })
    await browser.consentAt(op, { as: "ada" })
    await tab.consentAt(op, { as: "ada" })
    expect([browser.location, tab.location]).toEqual(["https://app.test/one", "https://app.test/two"])
  })

  test("a callback works once, even if the provider accepts the code again", async () => {
    const op = createProvider({ faults: faults.codeReplay })
    const { browser } = await open([op.provider()], { security })
    const answer = await answerOf(op, await begin(browser))
    const thief = stolen(browser)
    await browser.get(answer, { from: op.issuer })
    await thief.get(answer, { from: op.issuer })
    expect([outcome(browser), outcome(thief)]).toEqual(["home", "InvalidCheck"])
    expect(await thief.session()).toBeNull()
    expect(op.requestsTo("token")).toHaveLength(1)
  })

  test("one of parallel identical callbacks succeeds", async () => {
    const op = createProvider({ faults: faults.codeReplay })
    const { browser } = await open([op.provider()], { security })
    const answer = await answerOf(op, await begin(browser))
    const all = [browser, stolen(browser), stolen(browser)]
    await Promise.all(all.map((one) => one.get(answer, { from: op.issuer })))
    expect(all.map(outcome).sort()).toEqual(["InvalidCheck", "InvalidCheck", "home"])
    expect(op.requestsTo("token")).toHaveLength(1)
  })

  test("a callback in another browser is refused", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    const victim = browser.fresh()
    await victim.get(await answerOf(op, await begin(browser), "grace"), { from: op.issuer })
    expect(outcome(victim)).toBe("InvalidCheck")
    expect([await victim.session(), op.requestsTo("token")]).toEqual([null, []])
  })

  test("a code of another sign-in doesn't match the verifier and nonce, even if the provider doesn't check", async () => {
    const op = createProvider({ faults: faults.pkceIgnored })
    const { browser } = await open([op.provider()], { security })
    const foreign = new URL(await answerOf(op, await begin(browser.fresh()), "grace")).searchParams.get("code") ?? ""
    const own = new URL(await answerOf(op, await begin(browser)))
    own.searchParams.set("code", foreign)
    await browser.get(own, { from: op.issuer })
    expect(outcome(browser)).toBe("Configuration")
    expect(await browser.session()).toBeNull()
  })

  test("a sign-in with one provider can't end at the callback of another", async () => {
    const a = createProvider({ id: "a", issuer: "https://a.test" })
    const b = createProvider({ id: "b", issuer: "https://b.test" })
    const { browser } = await open([a.provider(), b.provider()], { security })
    const answer = new URL(await answerOf(a, await begin(browser, "a")))
    await browser.get(`/auth/callback/b${answer.search}`, { from: b.issuer })
    expect(outcome(browser)).toBe("InvalidCheck")
    expect([a.requestsTo("token"), b.requestsTo("token")]).toEqual([[], []])
  })

  test("a callback after 15 minutes is refused, and after 14 it's accepted", async () => {
    for (const [seconds, fate] of [
      [840, "home"],
      [901, "InvalidCheck"],
    ] as const) {
      const clock = frozenClock()
      const op = createProvider()
      const { browser } = await open([op.provider()], { security, clock })
      const at = await begin(browser)
      clock.advance({ seconds })
      op.inject({
        idToken: (token) => ({
          ...token,
          claims: { ...token.claims, iat: clock.now() / 1000, exp: clock.now() / 1000 + 60 },
        }),
      })
      await browser.get(await answerOf(op, at), { from: op.issuer })
      expect(outcome(browser)).toBe(fate)
    }
  })
})

test("a callback without its sign-in shows a link to start again, with a status below 500", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  await browser.get("/auth/callback/op?code=a&state=b")
  const { pathname, searchParams } = new URL(browser.location)
  expect([pathname, searchParams.get("error"), searchParams.get("code")]).toEqual([
    "/auth/error",
    "Configuration",
    "InvalidCheck",
  ])
  expect(browser.response.status).toBe(400)
})

test("a browser keeps five sign-ins, and the oldest is dropped first", async () => {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const { browser } = await open([op.provider()], { clock })
  const begun: string[] = []
  for (let count = 0; count < 7; count += 1) {
    const at = await begin(browser)
    begun.push(`__Host-authjs.state.${(at.searchParams.get("state") ?? "").slice(-10)}`)
    clock.advance({ seconds: 1 })
  }
  expect(flowCookies(browser).sort()).toEqual(begun.slice(2).sort())
})

test("a sign-in with a changed cookie is refused", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  const answer = await answerOf(op, await begin(browser))
  const [cookie] = browser.cookies.filter(({ name }) => name.includes("state."))
  const changed = cookie?.value.replace(/(?<=^.{60})./, (char) => (char === "A" ? "B" : "A")) ?? ""
  if (cookie !== undefined) browser.jar.put({ ...cookie, value: changed })
  await browser.get(answer, { from: op.issuer })
  expect(outcome(browser)).toBe("InvalidCheck")
  expect(op.requestsTo("token")).toEqual([])
})

describe("a callback without state", () => {
  test("belongs to the only sign-in if `checks` leaves state out", async () => {
    const op = createProvider({ faults: faults.stateMissing })
    const { browser } = await open([op.provider({ checks: ["pkce"] })])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
  })

  test("is refused if there are several sign-ins", async () => {
    const op = createProvider({ faults: faults.stateMissing })
    const { browser } = await open([op.provider({ checks: ["pkce"] })])
    await begin(browser.clone())
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("InvalidCheck")
  })

  test("is accepted without a sign-in only with checks: [none]", async () => {
    for (const [checks, fate] of [
      [["none"], "home"],
      [["pkce"], "InvalidCheck"],
    ] as const) {
      const op = createProvider({ faults: faults.stateMissing })
      const { browser } = await open([op.provider({ checks: [...checks] })])
      const elsewhere = await begin(browser.fresh())
      // A client without checks requests only a code.
      for (const name of ["nonce", "code_challenge", "code_challenge_method"]) elsewhere.searchParams.delete(name)
      await browser.get(await answerOf(op, elsewhere), { from: op.issuer })
      expect(outcome(browser)).toBe(fate)
    }
  })

  test("is refused with a wrong state even if state may be missing", async () => {
    const op = createProvider({ faults: faults.stateWrong })
    const { browser } = await open([op.provider({ checks: ["pkce"] })])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("InvalidCheck")
  })
})

describe("while a user is signed in", () => {
  test("a sign-in is refused after another user signs in", async () => {
    const op = createProvider()
    const other = createProvider({ id: "other", issuer: "https://other.test" })
    const { browser, adapter } = await open([op.provider(), other.provider()])
    await browser.signInWith(op, { as: "ada" })
    const tab = browser.clone()
    await begin(tab, "other")
    await browser.signOut()
    await browser.signInWith(op, { as: "grace" })
    await tab.consentAt(other, { as: "linus" })
    expect(outcome(tab)).toBe("InvalidCheck")
    expect(other.requestsTo("token")).toEqual([])
    expect(adapter.rows().accounts.filter(({ provider }) => provider === "other")).toEqual([])
  })
})

test("a session that starts in another tab doesn't affect a sign-in that began without one", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  const tab = browser.clone()
  await begin(browser)
  await tab.signInWith(op, { as: "ada" })
  await browser.consentAt(op, { as: "grace" })
  expect(await browser.session()).toMatchObject({ user: { email: "grace@example.test" } })
})

test.each([
  [1000, "/far/"],
  [4000, "/"],
])(
  "a callback URL of %i characters ends as %s: one that doesn't fit into a cookie is dropped",
  async (length, place) => {
    const op = createProvider()
    const far = "https://app.test/far/".padEnd(length, "x")
    const { browser } = await open([op.provider()], {
      callbacks: { redirect: ({ url }) => (url === "/far" ? far : url) },
    })
    await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/far" } })
    expect(await browser.session()).not.toBeNull()
    expect(new URL(browser.location).pathname.replace(/x+$/, "")).toBe(place)
  },
)
