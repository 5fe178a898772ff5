import { describe, expect, test } from "vitest"
import { attackIn } from "../../../tests/attack.js"
import { guestIn, isSignedIn, modes, sessionToken, signInByLink, siteOf, usersIn } from "./site.js"

describe.each(modes)("an anonymous user (%s)", (mode) => {
  const attack = attackIn(mode)

  test("is created by one button, without JavaScript, and is a user without an email", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await browser.get("/auth/signin?callbackUrl=%2Fcart")
    expect(browser.text).toContain("Continue as guest")
    await browser.submitForm("callback/anonymous")
    expect([await isSignedIn(browser), new URL(browser.location).pathname]).toEqual([true, "/cart"])
    const [user] = site.store.rows().users
    expect([user?.email ?? null, user?.emailVerified]).toEqual([null, null])
    expect(await site.server.members["anonymous"]?.["isAnonymous"]?.(user?.id)).toBe(true)
  })

  attack("ANON-07", "has proven nothing, so no step-up takes the session", async () => {
    const site = siteOf({ mode })
    const { browser } = await guestIn(site)
    expect(site.signIns).toMatchObject([{ amr: [] }])
    expect(await (await browser.fetch("/auth/probe/level")).json()).toEqual({ one: false, two: false })
    await signInByLink(site, browser)
    expect(await (await browser.fetch("/auth/probe/level")).json()).toEqual({ one: true, two: false })
  })

  attack("ANON-07", "has proven nothing in a session in a cookie either", async () => {
    const revocable = { session: { strategy: "jwt", stepUp: true } } as const
    const site = siteOf({ mode: "strict", config: revocable })
    const { browser } = await guestIn(site)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await (await browser.fetch("/auth/probe/level")).json()).toEqual({ one: false, two: false })
  })

  attack("ANON-04", "isn't made of a user who is signed in, and a second click makes no second one", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    const id = await signInByLink(site, browser)
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/callback/anonymous", { csrfToken, callbackUrl: "/cart" })
    expect(usersIn(site)).toEqual([id])
    const guest = await guestIn(site)
    const again = (await guest.browser.csrf()) ?? ""
    await guest.browser.post("/auth/callback/anonymous", { csrfToken: again })
    expect(usersIn(site)).toEqual([id, guest.id])
  })

  test("who signs up moves to the new user once, with a new session, and is gone", async () => {
    const site = siteOf({ mode })
    const { browser, id } = await guestIn(site)
    const before = sessionToken(browser)
    const to = await signInByLink(site, browser)
    expect(site.upgrades).toEqual([[id, to]])
    expect(usersIn(site)).toEqual([to])
    expect(sessionToken(browser)).not.toBe(before)
    await signInByLink(site, browser)
    expect(site.upgrades).toHaveLength(1)
  })

  test("who signs in to an account moves to its user", async () => {
    const site = siteOf({ mode })
    const to = await signInByLink(site, await site.open())
    const { browser, id } = await guestIn(site)
    expect(await signInByLink(site, browser)).toBe(to)
    expect([site.upgrades, usersIn(site)]).toEqual([[[id, to]], [to]])
  })

  test("who links a provider keeps the id, and only this browser stays signed in", async () => {
    const site = siteOf({ mode })
    const { browser, id } = await guestIn(site)
    const copy = await site.open()
    for (const cookie of browser.cookies) copy.jar.put(cookie)
    const expires = new Date(site.clock.now() + 86_400_000)
    await site.store.createSession?.({ sessionToken: "of another browser", userId: id, expires })
    await browser.signInWith(site.op, { as: "ada", fields: { link: "true" } })
    expect([site.upgrades, usersIn(site), await isSignedIn(browser)]).toEqual([[], [id], true])
    expect(await site.server.members["anonymous"]?.["isAnonymous"]?.(id)).toBe(false)
    expect([await isSignedIn(copy), site.store.rows().sessions.length]).toEqual([false, 1])
    const other = await site.open()
    await other.signInWith(site.op, { as: "ada" })
    expect([await isSignedIn(other), usersIn(site)]).toEqual([true, [id]])
  })

  test("with a provider, keeps the id or moves, and leaves one user", async () => {
    const site = siteOf({ mode })
    const { browser, id } = await guestIn(site)
    const before = sessionToken(browser)
    await browser.signInWith(site.op, { as: "ada" })
    expect(await isSignedIn(browser)).toBe(true)
    const [only, ...rest] = usersIn(site)
    expect(rest).toEqual([])
    expect(site.upgrades).toEqual(only === id ? [] : [[id, only]])
    expect(only === id).toBe(mode === "compatible")
    expect(sessionToken(browser)).not.toBe(before)
    expect(site.store.rows().sessions).toHaveLength(1)
  })

  test("needs sessions that can be ended", async () => {
    const config = { session: { strategy: "jwt" }, security: { mode, revocableSessions: false } } as never
    const site = siteOf({ config })
    const { browser } = await guestIn(site)
    expect([await isSignedIn(browser), usersIn(site)]).toEqual([false, []])
    expect(JSON.stringify(site.log.entries)).toContain("revocableSessions")
  })

  attack("ANON-06", "is limited per visitor, and needs the CAPTCHA if there's one", async () => {
    const many = siteOf({ mode, perHour: 3, config: { rateLimit: { address: () => "198.51.100.1" } } })
    for (let left = 5; left > 0; left--) await guestIn(many)
    expect(usersIn(many)).toHaveLength(3)
    const captcha = { field: "proof", verify: ({ token }: { token: string }) => token === "good" }
    const site = siteOf({ mode, config: { captcha } })
    const { browser } = await guestIn(site)
    expect([browser.response.status, usersIn(site)]).toEqual([400, []])
    await browser.post("/auth/callback/anonymous", { ...browser.forms[0]?.fields, proof: "good" })
    expect(usersIn(site)).toHaveLength(1)
  })

  test("may be refused by the signUp callback", async () => {
    const site = siteOf({ mode, config: { callbacks: { signUp: () => false } } })
    await guestIn(site)
    expect(usersIn(site)).toEqual([])
  })
})

describe.each(modes)("the sweep (%s)", (mode) => {
  test("removes anonymous users who are old and have no session, and no one else", async () => {
    const site = siteOf({ mode })
    const account = await signInByLink(site, await site.open())
    const old = await guestIn(site)
    const gone = await guestIn(site)
    await gone.browser.signOut()
    expect(await site.sweep()).toEqual({ removed: 0, upgraded: 0, failed: [] })
    site.clock.advance({ days: 6 })
    const young = await guestIn(site)
    expect(await site.sweep()).toEqual({ removed: 0, upgraded: 0, failed: [] })
    expect(usersIn(site)).toEqual([account, old.id, gone.id, young.id])
    expect(await site.sweep({ days: 5 })).toEqual({ removed: 1, upgraded: 0, failed: [] })
    expect(usersIn(site)).toEqual([account, old.id, young.id])
    expect(await site.sweep({ days: 0 })).toEqual({ removed: 0, upgraded: 0, failed: [] })
    site.clock.advance({ days: 41 })
    expect(await site.sweep()).toEqual({ removed: 2, upgraded: 0, failed: [] })
    expect(usersIn(site)).toEqual([account])
  })

  test("leaves a user whose method was linked when the process ended", async () => {
    const site = siteOf({ mode })
    const { id } = await guestIn(site)
    await site.store.linkAccount?.({ userId: id, provider: "op", providerAccountId: "ada", type: "oidc" })
    site.clock.advance({ days: 100 })
    expect(await site.sweep()).toEqual({ removed: 0, upgraded: 0, failed: [] })
    expect(usersIn(site)).toEqual([id])
  })
})
