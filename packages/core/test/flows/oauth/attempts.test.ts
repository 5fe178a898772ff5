import { createProvider, frozenClock, faults } from "@latchkey/testing"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { answerOf, begin, flowCookies, modes, open, outcome } from "./app.js"

/** The cookies of a browser as somebody copied them, in a browser of their own. */
function stolen(browser: Browser, from = browser): Browser {
  const thief = browser.fresh()
  for (const cookie of from.cookies) thief.jar.put(cookie)
  return thief
}

describe.each(modes)("under %s security", (security) => {
  test("one sealed cookie is kept for an attempt, named by the end of its state", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    const state = (await begin(browser)).searchParams.get("state") ?? ""
    const [cookie, ...others] = browser.cookies.filter(({ name }) => name.includes("state"))
    expect(cookie).toMatchObject({
      name: `${security === "strict" ? "__Host-" : "__Secure-"}authjs.state.${state.slice(-10)}`,
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

  test("sign-ins in two tabs at once both succeed, in either order", async () => {
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

  test("each tab returns to the place that it asked for", async () => {
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

  test("an answer is good once, even if the provider would take the code again", async () => {
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

  test("of parallel repetitions of an answer one wins", async () => {
    const op = createProvider({ faults: faults.codeReplay })
    const { browser } = await open([op.provider()], { security })
    const answer = await answerOf(op, await begin(browser))
    const all = [browser, stolen(browser), stolen(browser)]
    await Promise.all(all.map((one) => one.get(answer, { from: op.issuer })))
    expect(all.map(outcome).sort()).toEqual(["InvalidCheck", "InvalidCheck", "home"])
    expect(op.requestsTo("token")).toHaveLength(1)
  })

  test("an answer in a browser that began nothing is refused", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security })
    const victim = browser.fresh()
    await victim.get(await answerOf(op, await begin(browser), "grace"), { from: op.issuer })
    expect(outcome(victim)).toBe("InvalidCheck")
    expect([await victim.session(), op.requestsTo("token")]).toEqual([null, []])
  })

  test("a code of another attempt does not fit this one's verifier and nonce, even at a careless provider", async () => {
    const op = createProvider({ faults: faults.pkceIgnored })
    const { browser } = await open([op.provider()], { security })
    const foreign = new URL(await answerOf(op, await begin(browser.fresh()), "grace")).searchParams.get("code") ?? ""
    const own = new URL(await answerOf(op, await begin(browser)))
    own.searchParams.set("code", foreign)
    await browser.get(own, { from: op.issuer })
    expect(outcome(browser)).toBe("OAuthCallbackError")
    expect(await browser.session()).toBeNull()
  })

  test("an attempt at one provider cannot be answered at the callback of another", async () => {
    const a = createProvider({ id: "a", issuer: "https://a.test" })
    const b = createProvider({ id: "b", issuer: "https://b.test" })
    const { browser } = await open([a.provider(), b.provider()], { security })
    const answer = new URL(await answerOf(a, await begin(browser, "a")))
    await browser.get(`/auth/callback/b${answer.search}`, { from: b.issuer })
    expect(outcome(browser)).toBe("InvalidCheck")
    expect([a.requestsTo("token"), b.requestsTo("token")]).toEqual([[], []])
  })

  test("an answer later than fifteen minutes is refused, a minute earlier it is taken", async () => {
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

test("a lost attempt offers to start again, below 500", async () => {
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

test("five attempts are kept at most, and the oldest goes first", async () => {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const { browser } = await open([op.provider()], { clock })
  const begun: string[] = []
  for (let count = 0; count < 7; count += 1) {
    const at = await begin(browser)
    begun.push(`__Secure-authjs.state.${(at.searchParams.get("state") ?? "").slice(-10)}`)
    clock.advance({ seconds: 1 })
  }
  expect(flowCookies(browser).sort()).toEqual(begun.slice(2).sort())
})

test("a tampered attempt cookie is no attempt", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  const answer = await answerOf(op, await begin(browser))
  const [cookie] = browser.cookies.filter(({ name }) => name.includes("state."))
  if (cookie !== undefined) browser.jar.put({ ...cookie, value: `${cookie.value.slice(0, -2)}AA` })
  await browser.get(answer, { from: op.issuer })
  expect(outcome(browser)).toBe("InvalidCheck")
  expect(op.requestsTo("token")).toEqual([])
})

describe("without a state in the answer", () => {
  test("the only attempt is meant, where the checks leave state out", async () => {
    const op = createProvider({ faults: faults.stateMissing })
    const { browser } = await open([op.provider({ checks: ["pkce"] })])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
  })

  test("nothing is guessed among several attempts", async () => {
    const op = createProvider({ faults: faults.stateMissing })
    const { browser } = await open([op.provider({ checks: ["pkce"] })])
    await begin(browser.clone())
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("InvalidCheck")
  })

  test("an answer to no attempt at all is taken only with checks: [none]", async () => {
    for (const [checks, fate] of [
      [["none"], "home"],
      [["pkce"], "InvalidCheck"],
    ] as const) {
      const op = createProvider({ faults: faults.stateMissing })
      const { browser } = await open([op.provider({ checks: [...checks] })])
      const elsewhere = await begin(browser.fresh())
      // A client that has switched everything off asks for nothing but a code.
      for (const name of ["nonce", "code_challenge", "code_challenge_method"]) elsewhere.searchParams.delete(name)
      await browser.get(await answerOf(op, elsewhere), { from: op.issuer })
      expect(outcome(browser)).toBe(fate)
    }
  })

  test("a wrong one is refused even where it may be missing", async () => {
    const op = createProvider({ faults: faults.stateWrong })
    const { browser } = await open([op.provider({ checks: ["pkce"] })])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("InvalidCheck")
  })
})

describe("while somebody is signed in", () => {
  test("an attempt begun by them is refused once somebody else is", async () => {
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

test("a session started while the provider's page is open does not matter to somebody who was signed out", async () => {
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
  "of a place to return to of %i characters remains %s: one that no cookie can carry is given up, not the sign-in",
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
