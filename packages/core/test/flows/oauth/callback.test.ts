import { createProvider, frozenClock } from "@latchkey/testing"
import type { Account, AuthConfig, User } from "@latchkey/core/types"
import { describe, expect, test, vi } from "vitest"
import { begin, flowCookies, open, outcome } from "./app.js"

test("the token request is a form with the code, the verifier and the same redirect_uri", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  await browser.signInWith(op, { as: "ada" })
  const [request] = op.requestsTo("token")
  expect(request?.method).toBe("POST")
  expect(request?.headers.get("accept")).toBe("application/json")
  expect(request?.headers.get("content-type")).toBe("application/x-www-form-urlencoded")
  expect(request?.headers.get("user-agent")).toBe("latchkey")
  expect(Object.fromEntries(request?.form ?? [])).toEqual({
    grant_type: "authorization_code",
    code: expect.any(String),
    redirect_uri: "https://app.test/auth/callback/op",
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test("without PKCE the token request has no verifier", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider({ checks: ["state"] })])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(op.requestsTo("token")[0]?.form.has("code_verifier")).toBe(false)
})

describe("an error from the provider", () => {
  test("redirects to the sign-in page, is logged but not shown, and ends the sign-in", async () => {
    const op = createProvider()
    const { browser, log } = await open([op.provider()])
    await begin(browser)
    await browser.consentAt(op, { error: "access_denied", description: "she said no" })
    expect(outcome(browser)).toBe("OAuthCallbackError")
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
    expect(browser.text + browser.location).not.toContain("she said no")
    expect(log.entries.map(({ text }) => text).join()).toContain("she said no")
    expect([flowCookies(browser), op.requestsTo("token")]).toEqual([[], []])
  })

  test("counts only with the state of the sign-in", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    await begin(browser)
    await browser.get("/auth/callback/op?error=access_denied", { from: "https://evil.test" })
    expect(outcome(browser)).toBe("InvalidCheck")
    expect(flowCookies(browser)).toHaveLength(1)
  })
})

test.each(["?code=a", "?error=b", "", "?state=x&code=y", "?code[]=1&code=2&state=3"])(
  "a callback without a sign-in (%s) is refused below 500 and sends no request",
  async (query) => {
    const op = createProvider()
    const { browser, adapter } = await open([op.provider()])
    await browser.get(`/auth/callback/op${query}`)
    expect(outcome(browser)).toBe("InvalidCheck")
    expect(browser.trail.every(({ status }) => status < 500)).toBe(true)
    expect([op.requests, adapter.rows().users]).toEqual([[], []])
  },
)

test("the callback of an unknown provider is 404", async () => {
  const { browser } = await open([createProvider().provider()])
  await browser.get("/auth/callback/other?code=a&state=b")
  expect(browser.response.status).toBe(404)
})

test("HEAD on a callback uses up nothing", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  const answer = await op.authorize(await begin(browser), { as: "ada" })
  const location = answer.method === "GET" ? answer.location : ""
  await browser.fetch(location, { method: "HEAD" })
  expect(op.requestsTo("token")).toEqual([])
  await browser.get(location, { from: op.issuer })
  expect(outcome(browser)).toBe("home")
})

test("the user gets a random id and the email in lowercase, and the account gets the id of the profile", async () => {
  const op = createProvider({ people: { mixed: { sub: "m1", email: "Mixed@Example.COM", name: "M" } } })
  const { browser, adapter } = await open([op.provider()])
  await browser.signInWith(op, { as: "mixed" })
  const { users, accounts } = adapter.rows()
  expect(users[0]).toMatchObject({ id: expect.stringMatching(/^[\da-f-]{36}$/), email: "mixed@example.com", name: "M" })
  expect(accounts[0]).toMatchObject({ provider: "op", type: "oidc", providerAccountId: "m1", userId: users[0]?.id })
})

test("expires_in becomes expires_at in seconds", async () => {
  const clock = frozenClock()
  const op = createProvider({ clock, lifetime: 1234 })
  const { browser, adapter } = await open([op.provider()], { clock })
  await browser.signInWith(op, { as: "ada" })
  expect(adapter.rows().accounts[0]?.expires_at).toBe(clock.now() / 1000 + 1234)
})

describe("the signIn callback", () => {
  const run = async (callbacks: NonNullable<AuthConfig["callbacks"]>) => {
    const op = createProvider()
    const app = await open([op.provider()], { callbacks })
    await app.browser.signInWith(op, { as: "ada" })
    return app
  }

  test("gets the provider's user, the account with its tokens, and the profile", async () => {
    const signIn = vi.fn<(message: { user: User; account?: Account | null; profile?: unknown }) => boolean>(() => true)
    const { browser } = await run({ signIn })
    const [message] = signIn.mock.calls[0] ?? []
    expect(outcome(browser)).toBe("home")
    expect(message).toMatchObject({
      user: { email: "ada@example.test" },
      account: { provider: "op", providerAccountId: "ada", access_token: expect.any(String), token_type: "bearer" },
      profile: { sub: "ada", iss: "https://op.test" },
    })
  })

  test("gets the stored user at the next sign-in", async () => {
    const ids: unknown[] = []
    const op = createProvider()
    const signIn = ({ user }: { user: User }) => ids.push(user.id) > 0
    const { browser, adapter } = await open([op.provider()], { callbacks: { signIn } })
    await browser.signInWith(op, { as: "ada" })
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(ids[1]).toBe(adapter.rows().users[0]?.id)
  })

  const refusals: readonly (readonly [string, () => boolean | string, string])[] = [
    ["false", () => false, "AccessDenied"],
    [
      "an exception",
      () => {
        throw new Error("closed")
      },
      "AccessDenied",
    ],
    ["a string", () => "/waitlist", "/waitlist"],
  ]
  test.each(refusals)("that returns %s ends the sign-in", async (_, signIn, expected) => {
    const { browser, adapter } = await run({ signIn })
    expect(outcome(browser)).toBe(expected)
    expect([await browser.session(), adapter.rows().users, flowCookies(browser)]).toEqual([null, [], []])
  })
})

test("a jwt callback that returns null starts no session", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { session: { strategy: "jwt" }, callbacks: { jwt: () => null } })
  await browser.signInWith(op, { as: "ada" })
  expect(await browser.session()).toBeNull()
  expect(browser.cookies.map(({ name }) => name).filter((name) => name.includes("session"))).toEqual([])
})

test("the signIn event has isNewUser true only the first time", async () => {
  const told: unknown[] = []
  const op = createProvider()
  const { browser } = await open([op.provider()], { events: { signIn: ({ isNewUser }) => void told.push(isNewUser) } })
  await browser.signInWith(op, { as: "ada" })
  await browser.fresh().signInWith(op, { as: "ada" })
  expect(told).toEqual([true, false])
})

test("a new user goes to pages.newUser with callbackUrl, and later to the callback URL", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { pages: { newUser: "/welcome?a=1" } })
  await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/inside" } })
  const url = new URL(browser.location)
  expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    "/welcome",
    { a: "1", callbackUrl: "https://app.test/inside" },
  ])
  const again = browser.fresh()
  await again.signInWith(op, { as: "ada", fields: { callbackUrl: "/inside" } })
  expect(again.location).toBe("https://app.test/inside")
})

test("an adapter that fails redirects to Configuration and ends the sign-in", async () => {
  const op = createProvider()
  const { browser, adapter, log } = await open([op.provider()])
  adapter.getUserByAccount = () => Promise.reject(new Error("database down"))
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  expect([await browser.session(), flowCookies(browser)]).toEqual([null, []])
  expect(log.entries.map(({ text }) => text).join()).toContain("database down")
})
