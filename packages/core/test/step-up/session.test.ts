import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { createProvider, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { at, byName, isOpen, signIn, siteOf } from "./site.js"

describe("a page that needs a recent sign-in", () => {
  test("opens after a fresh one, and later asks again and leads back", async () => {
    const { browser, clock } = await siteOf()
    await signIn(browser)
    await browser.get("/recent?to=bob")
    expect(browser.response.status).toBe(200)
    clock.advance({ minutes: 5, seconds: 1 })
    await browser.get("/recent?to=bob")
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
    await browser.submitForm("callback/credentials", { name: "ada" })
    expect(at(browser)).toBe("/recent?to=bob")
    expect(browser.response.status).toBe(200)
  })

  test("leads a visitor without a session there, too", async () => {
    const { browser } = await siteOf()
    await browser.get("/recent?to=bob")
    await browser.submitForm("callback/credentials", { name: "ada" })
    expect(at(browser)).toBe("/recent?to=bob")
  })

  test("answers a program with 401, and says what is missing (RFC 9470)", async () => {
    const { browser, clock } = await siteOf()
    await signIn(browser)
    clock.advance({ minutes: 6 })
    const response = await browser.fetch("/recent?to=bob")
    expect(response.status).toBe(401)
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_user_authentication", error_description="Sign in again", max_age=300',
    )
    expect(await response.json()).toEqual({
      message: "Sign in again.",
      error: "insufficient_user_authentication",
      url: "https://app.test/auth/step-up?to=%2Frecent%3Fto%3Dbob&max_age=300&level=1",
    })
  })

  test("answers a program that isn't signed in as other pages do", async () => {
    const { browser } = await siteOf()
    const response = await browser.fetch("/recent")
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toBeNull()
  })

  test("lets no one in who only sends `Accept: text/html`", async () => {
    const { browser, clock } = await siteOf()
    await signIn(browser)
    clock.advance({ minutes: 6 })
    const response = await browser.fetch("/recent", { headers: { accept: "text/html" } })
    expect(response.status).toBe(401)
  })

  test("takes another user who signs in by their own session", async () => {
    const { browser, clock } = await siteOf()
    await signIn(browser)
    clock.advance({ minutes: 6 })
    await browser.get("/recent")
    await browser.submitForm("callback/credentials", { name: "grace" })
    expect(JSON.parse(browser.text)).toMatchObject({ user: { name: "grace" } })
  })

  test("isn't satisfied by a renewal", async () => {
    const { browser, clock } = await siteOf({ session: { updateAge: 0 } })
    await signIn(browser)
    for (let minute = 0; minute < 6; minute++) {
      clock.advance({ minutes: 1 })
      await browser.get("/any")
    }
    expect(await isOpen(browser, "/any")).toBe(true)
    expect(await isOpen(browser, "/recent")).toBe(false)
  })

  test("isn't satisfied after the clock was set back", async () => {
    const clock = frozenClock()
    const { browser } = await siteOf({}, clock)
    await signIn(browser)
    clock.advance({ minutes: -30 })
    expect(await isOpen(browser, "/recent")).toBe(false)
  })
})

describe("sessions in the database", () => {
  const stored = async (rest: Partial<AuthConfig> = {}) => {
    const clock = frozenClock()
    const op = createProvider({ clock })
    const adapter = memoryAdapter()
    const config = { adapter, providers: [op.provider({ verifyAuthentication: false })], ...rest }
    return { op, adapter, ...(await siteOf(config, clock)) }
  }

  test.each([{}, { security: { hashSessionTokens: true } }, { session: { absoluteMaxAge: 86_400 } }])(
    "say when their user signed in, and renewals don't change it (%j)",
    async (rest) => {
      const { browser, clock, op } = await stored({ ...rest, session: { updateAge: 0, ...rest.session } })
      await browser.signInWith(op, { as: "ada" })
      expect(await isOpen(browser, "/recent")).toBe(true)
      for (let minute = 0; minute < 6; minute++) {
        clock.advance({ minutes: 1 })
        await browser.get("/any")
      }
      expect(await isOpen(browser, "/any")).toBe(true)
      expect(await isOpen(browser, "/recent")).toBe(false)
      await browser.signInWith(op, { as: "ada" })
      expect(await isOpen(browser, "/recent")).toBe(true)
    },
  )

  test("keep it when they get another token", async () => {
    const clock = frozenClock()
    const op = createProvider({ clock })
    const shared = { adapter: memoryAdapter(), providers: [op.provider({ verifyAuthentication: false })] }
    const before = await siteOf(shared, clock)
    await before.browser.signInWith(op, { as: "ada" })
    const after = await siteOf({ ...shared, security: { hashSessionTokens: true } }, clock)
    const cookie = before.browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const renewed = await after.browser.fetch("/any", { headers: { cookie } })
    expect(renewed.headers.getSetCookie().join()).toContain("session-token")
    expect(await isOpen(after.browser, "/recent")).toBe(true)
  })

  test("can't say it by another token", async () => {
    const { browser, clock, op } = await stored()
    await browser.signInWith(op, { as: "ada" })
    const session = browser.cookies.find(({ name }) => name.endsWith("session-token"))
    const [id = ""] = (session?.value ?? "").split("!")
    clock.advance({ minutes: 6 })
    const claims = { auth_time: Math.floor(clock.now() / 1000), amr: ["mfa"], tag: "0".repeat(32) }
    const forged = `${id}!${Buffer.from(JSON.stringify(claims)).toString("base64url")}`
    const response = await browser.fresh().fetch("/any", { headers: { cookie: `${session?.name}=${forged}` } })
    expect(response.status).toBe(401)
  })
})

describe("what the application and browsers write counts for nothing", () => {
  const forged = (now: number) => ({ auth_time: Math.floor(now / 1000), amr: ["pwd", "mfa"], tag: "0".repeat(32) })

  test("an update can't change when the user signed in", async () => {
    const merge = ({ token, session }: { token: JWT; session?: object }): JWT => ({
      ...token,
      ...session,
      ...Object(Reflect.get(session ?? {}, "part")),
    })
    const { browser, clock } = await siteOf({ callbacks: { jwt: merge } })
    await signIn(browser)
    clock.advance({ minutes: 6 })
    const authentication = forged(clock.now())
    const data = { authentication, part: { authentication }, auth_time: authentication.auth_time }
    const csrfToken = await browser.csrf()
    const response = await browser.fetch("/auth/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, data }),
    })
    expect(response.status).toBe(200)
    expect(await isOpen(browser, "/recent")).toBe(false)
  })

  test("a `jwt` callback that returns a new object doesn't lose it, and one that writes it doesn't change it", async () => {
    let now = () => 0
    const jwt = ({ token }: { token: JWT }): JWT => ({ sub: String(token.sub), authentication: forged(now()) })
    const seen: JWT[] = []
    const session: NonNullable<NonNullable<AuthConfig["callbacks"]>["session"]> = (params) => {
      seen.push(params.token)
      return params.session
    }
    const { browser, clock } = await siteOf({ callbacks: { jwt, session }, session: { updateAge: 0 } })
    now = () => clock.now()
    await signIn(browser)
    await browser.get("/any")
    expect(await isOpen(browser, "/recent")).toBe(true)
    clock.advance({ minutes: 6 })
    await browser.get("/any")
    expect(await isOpen(browser, "/recent")).toBe(false)
    // Nothing is written again here, so the callbacks show what the guard leaves.
    await browser.fetch("/any", { method: "HEAD" })
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.map(({ authentication }) => authentication)).not.toContainEqual(forged(clock.now()))
    expect(new Set(seen.map(({ authentication }) => JSON.stringify(authentication))).size).toBe(1)
  })

  test.each(["nothing", "the application's own claim"])("a session from before has %s", async (kind) => {
    const clock = frozenClock()
    const jwt = ({ token }: { token: JWT }): JWT =>
      kind === "nothing"
        ? token
        : { ...token, auth_time: forged(clock.now()).auth_time, authentication: forged(clock.now()) }
    const before = await siteOf({ session: { stepUp: false }, callbacks: { jwt } }, clock)
    await signIn(before.browser)
    const { browser } = await siteOf({}, clock)
    const cookie = before.browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    expect((await browser.fetch("/any", { headers: { cookie } })).status).toBe(200)
    const response = await browser.fetch("/recent", { headers: { cookie } })
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toContain("insufficient_user_authentication")
  })
})

describe("the route that asks again", () => {
  test("leads to no other site", async () => {
    const { browser } = await siteOf()
    await signIn(browser)
    for (const to of ["https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:alert(1)"]) {
      await browser.get(`/auth/step-up?to=${encodeURIComponent(to)}&max_age=300`)
      expect(new URL(browser.location).origin).toBe("https://app.test")
    }
    await browser.get("https://app.test//evil.test/recent")
    expect(new URL(browser.location).origin).toBe("https://app.test")
  })

  test("doesn't ask again and again if a sign-in isn't enough", async () => {
    const { browser } = await siteOf({
      adapter: memoryAdapter(),
      providers: [byName, Passkey],
      experimental: { enableWebAuthn: true },
      session: { strategy: "jwt" },
    })
    await signIn(browser)
    await browser.get("/strong")
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
    await browser.submitForm("callback/credentials", { name: "ada" })
    const { pathname, searchParams } = new URL(browser.location)
    expect([pathname, searchParams.get("error")]).toEqual(["/auth/signin", "RecentSignInRequired"])
  })

  test("leads through the application's own sign-in page", async () => {
    const { browser } = await siteOf({ pages: { signIn: "/login" } })
    await browser.get("/auth/step-up?to=%2Frecent&max_age=300")
    const { pathname, searchParams } = new URL(browser.trail[0]?.headers.get("location") ?? "", "https://app.test")
    expect(pathname).toBe("/login")
    expect(searchParams.get("callbackUrl")).toMatch(/^https:\/\/app\.test\/auth\/step-up\?to=/)
  })
})

describe("without the option", () => {
  test("nothing is kept, and there is no route", async () => {
    const claims: JWT[] = []
    const jwt = ({ token }: { token: JWT }): JWT => (claims.push(token), token)
    const { browser } = await siteOf({ session: { stepUp: false }, callbacks: { jwt } })
    await signIn(browser)
    await browser.get("/any")
    expect(claims.length).toBeGreaterThan(1)
    expect(claims.filter((each) => "authentication" in each || "auth_time" in each)).toEqual([])
    expect((await browser.fetch("/auth/step-up?to=/")).status).toBe(404)
  })

  test("a page that asks is an error that says what to do", async () => {
    const { browser } = await siteOf({ session: { stepUp: false } })
    await signIn(browser)
    await expect(browser.fetch("/recent")).rejects.toThrow()
  })

  test("a callback instead of options asks for nothing, so it's an error", async () => {
    const { browser } = await siteOf()
    await signIn(browser)
    await expect(browser.fetch("/callback")).rejects.toThrow(/`level` of a step-up/)
  })

  test("a level that no user can reach is one, too", async () => {
    const { browser } = await siteOf({ environment: "development" })
    await signIn(browser)
    await expect(browser.fetch("/strong")).rejects.toThrow(/two factors/)
  })
})
