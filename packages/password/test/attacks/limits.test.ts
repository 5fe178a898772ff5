import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { askReset, better, choose, good, isSignedIn, joined, linkTo, modes, signIn, signUp, siteOf } from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

describe.each(modes)("with limits (%s)", (mode) => {
  const attack = attackIn(mode)
  const limited = { mode, config: { rateLimit: {} } } as const

  attack(
    "PASS-16",
    "a stranger who asks for more resets than are sent doesn't end the link that was sent",
    async () => {
      const site = siteOf(limited)
      await joined(site, ada)
      const stranger = await site.open()
      for (let count = 0; count < 15; count++) await askReset(site, ada, stranger)
      expect(stranger.response.status).toBe(429)
      const owner = await site.open()
      await choose(owner, linkTo(site, ada), better)
      expect(await isSignedIn(owner)).toBe(true)
    },
  )

  attack("PASS-17", "a thief can't keep the email about a new password back by asking for others before", async () => {
    const site = siteOf(limited)
    await joined(site, ada)
    const thief = await signIn(site, ada, good)
    for (let count = 0; count < 15; count++) await askReset(site, ada, thief)
    expect(thief.response.status).toBe(429)
    await thief.get("/auth/password/change")
    await thief.submitForm("callback/password", { password: good, newPassword: better })
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
    expect(site.sent.at(-1)?.letter?.subject).toBe("Your password for app.test was changed")
  })

  attack("PASS-16", "strangers don't keep others from signing up, if no address of a visitor is known", async () => {
    const site = siteOf(limited)
    const stranger = await site.open()
    for (let count = 0; count < 25; count++) await signUp(stranger, `${count}@users.test`, "short")
    const visitor = await site.open()
    await signUp(visitor, eve, good)
    expect(visitor.text).toContain("Check your email")
  })

  attack("PASS-15", "a browser that is known may guess 100 times, too, and no more", async () => {
    const site = siteOf({ mode, hashing: { parallel: 4, waiting: 200 } })
    const thief = await joined(site, ada)
    await thief.signOut()
    for (let count = 0; count < 100; count++) await signIn(site, ada, better, thief)
    expect(await isSignedIn(await signIn(site, ada, good, thief))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  attack("PASS-07", "of two links in two tabs, the form of one isn't sent for the other", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const browser = await site.open()
    await signUp(browser, eve, good)
    await browser.get(linkTo(site, eve))
    const other = browser.clone()
    await other.get(linkTo(site, ada))
    await browser.submitForm("callback/password")
    expect(browser.text).toContain("This link doesn&#39;t work")
    await other.get("/auth/password/finish")
    await other.submitForm("callback/password", { newPassword: better })
    expect(await other.session()).toMatchObject({ user: { email: ada } })
  })
})
