import { describe, expect, test } from "vitest"
import { attackIn } from "../../../tests/attack.js"
import { addEmail, guestIn, isSignedIn, modes, signInByLink, siteOf, usersIn } from "./site.js"
import type { Browser } from "@latchkey/testing"

/** Puts cookies into another browser, as a sibling subdomain can without the prefix `__Host-`. */
function plant(from: Browser, to: Browser, isPlanted: (name: string) => boolean): void {
  for (const cookie of from.cookies) if (isPlanted(cookie.name)) to.jar.put(cookie)
}

const isSession = (name: string) => name.endsWith("session-token")

describe.each(modes)("attacks on the upgrade (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("ANON-01", "another site can't make a visitor an anonymous user", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await browser.post("/auth/callback/anonymous", {}, { from: "https://evil.test/" })
    await browser.post("/auth/callback/anonymous", { csrfToken: "x" })
    expect([await isSignedIn(browser), usersIn(site)]).toEqual([false, []])
  })

  attack("ANON-02", "a planted anonymous session is absorbed by no sign-in, and ends with it", async () => {
    const site = siteOf({ mode })
    const to = await signInByLink(site, await site.open())
    const attacker = await guestIn(site)
    const victim = await site.open()
    plant(attacker.browser, victim, isSession)
    expect(await isSignedIn(victim)).toBe(true)
    await signInByLink(site, victim)
    expect([site.upgrades, usersIn(site)]).toEqual([[], [to, attacker.id]])
    expect([await isSignedIn(victim), await isSignedIn(attacker.browser)]).toEqual([true, false])
  })

  attack("ANON-03", "nothing is linked to a planted anonymous user", async () => {
    const site = siteOf({ mode })
    const attacker = await guestIn(site)
    const victim = await site.open()
    plant(attacker.browser, victim, isSession)
    await victim.signInWith(site.op, { as: "ada" })
    const owner = await site.store.getUserByAccount?.({ provider: site.op.provider().id, providerAccountId: "ada" })
    expect(owner?.id).not.toBe(attacker.id)
    expect(site.upgrades).toEqual([])
  })

  attack("ANON-02", "even with every cookie planted, the attacker gets into nothing", async () => {
    const site = siteOf({ mode })
    const attacker = await guestIn(site)
    const victim = await site.open()
    plant(attacker.browser, victim, () => true)
    await victim.signInWith(site.op, { as: "ada" })
    expect(await isSignedIn(victim)).toBe(true)
    expect(await isSignedIn(attacker.browser)).toBe(false)
  })

  attack("ANON-03", "an email is added to no planted anonymous user", async () => {
    const site = siteOf({ mode })
    const attacker = await guestIn(site)
    const victim = await site.open()
    plant(attacker.browser, victim, isSession)
    await addEmail(site, victim, "victim@users.test")
    expect(site.links).toEqual([])
    expect(await site.store.getUserByEmail?.("victim@users.test")).toBeNull()
  })

  attack("ANON-03", "a link that another browser asked for adds no email to a planted anonymous user", async () => {
    const site = siteOf({ mode })
    const guest = await guestIn(site)
    const victim = await site.open()
    plant(guest.browser, victim, isSession)
    await guest.browser.get("/auth/account")
    const index = guest.browser.forms.findIndex(({ fields }) => fields["action"] === "change-email")
    await guest.browser.submitForm(index, { email: "victim@users.test" })
    await victim.get(site.links.at(-1)?.url ?? "")
    const confirm = victim.forms.findIndex(({ fields }) => fields["action"] === "confirm-email")
    await victim.submitForm(confirm)
    expect(await site.store.getUserByEmail?.("victim@users.test")).toBeNull()
  })

  test.each(["database", "jwt"] as const)(
    "with an email, every copy of the session ends (sessions: %s)",
    async (strategy) => {
      const security = { mode, revocableSessions: true } as const
      const site = siteOf({ mode, config: { session: { strategy, stepUp: true }, security } })
      const { browser, id } = await guestIn(site)
      const attacker = await site.open()
      plant(browser, attacker, () => true)
      await addEmail(site, browser, "ada@users.test")
      expect((await site.store.getUserByEmail?.("ada@users.test"))?.id).toBe(id)
      expect([await isSignedIn(attacker), await isSignedIn(browser)]).toEqual([false, false])
      expect(await site.server.members["anonymous"]?.["isAnonymous"]?.(id)).toBe(false)
      expect(await signInByLink(site, browser)).toBe(id)
      expect([await isSignedIn(browser), site.upgrades, usersIn(site)]).toEqual([true, [], [id]])
    },
  )

  attack("ANON-04", "who signs in after an anonymous user signed out gets nothing of them", async () => {
    const site = siteOf({ mode })
    const { browser, id } = await guestIn(site)
    await browser.signOut()
    const to = await signInByLink(site, browser)
    expect([site.upgrades, usersIn(site)]).toEqual([[], [id, to]])
    expect(site.log.entries.filter(({ level }) => level === "error")).toEqual([])
  })

  attack("ANON-05", "of 20 parallel sign-ins, one moves what the anonymous user has", async () => {
    const site = siteOf({ mode, isFarAway: true, move: () => new Promise((resolve) => setTimeout(resolve, 50)) })
    const { browser, id } = await guestIn(site)
    const emails = Array.from({ length: 20 }, (_, index) => `user${index}@users.test`)
    for (const email of emails) await browser.signIn("email", { email })
    await Promise.all(site.links.map(async ({ url }) => browser.clone().get(url)))
    expect(site.signIns.filter(({ current }) => current?.id === id).length).toBeGreaterThan(1)
    expect(site.upgrades).toHaveLength(1)
    expect(site.upgrades[0]?.[0]).toBe(id)
    expect(usersIn(site)).not.toContain(id)
  })
})

describe.each(modes)("an upgrade that fails (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("ANON-08", "signs the user in, keeps the anonymous user, and is completed at the next sign-in", async () => {
    let isDown = true
    const move = () => (isDown ? Promise.reject(new Error("the shop is down")) : Promise.resolve())
    const site = siteOf({ mode, move })
    const { browser, id } = await guestIn(site)
    const expires = new Date(site.clock.now() + 86_400_000)
    await site.store.createSession?.({ sessionToken: "of another browser", userId: id, expires })
    const to = await signInByLink(site, browser)
    expect([await isSignedIn(browser), usersIn(site)]).toEqual([true, [id, to]])
    expect(site.store.rows().sessions.map(({ userId }) => userId)).toEqual([to])
    isDown = false
    await signInByLink(site, await site.open())
    expect([site.upgrades, usersIn(site)]).toEqual([
      [
        [id, to],
        [id, to],
      ],
      [to],
    ])
  })

  attack("ANON-08", "doesn't keep later anonymous users of the same user from theirs", async () => {
    const failing = new Set<string>()
    const move = ({ anonymous }: { readonly anonymous: { readonly id: string } }) => {
      if (failing.has(anonymous.id)) throw new Error("this cart is broken")
    }
    const site = siteOf({ mode, move })
    const first = await guestIn(site)
    failing.add(first.id)
    const to = await signInByLink(site, first.browser)
    const second = await guestIn(site)
    await signInByLink(site, second.browser)
    expect(site.upgrades.filter(([from]) => from === second.id)).toEqual([[second.id, to]])
    expect(usersIn(site)).toEqual([first.id, to])
    const third = await guestIn(site)
    failing.add(third.id)
    await signInByLink(site, third.browser)
    expect(site.upgrades.filter(([from]) => from === third.id)).toEqual([[third.id, to]])
    site.clock.advance({ days: 31 })
    const swept = await site.sweep()
    expect(swept).toMatchObject({ removed: 0, upgraded: 0, failed: [{ message: "this cart is broken" }, {}] })
    expect(usersIn(site)).toContain(third.id)
    failing.clear()
    expect(await site.sweep()).toEqual({ removed: 0, upgraded: 2, failed: [] })
  })

  attack("ANON-08", "is completed by the sweep, also if the process ended, and not before it may have", async () => {
    const parked: (() => void)[] = []
    const move = () => (site.upgrades.length > 1 ? undefined : new Promise<void>((resolve) => parked.push(resolve)))
    const site = siteOf({ mode, move })
    const { browser, id } = await guestIn(site)
    await browser.signIn("email", { email: "ada@users.test" })
    const underWay = browser.clone().get(site.links.at(-1)?.url ?? "")
    while (parked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(await site.sweep()).toEqual({ removed: 0, upgraded: 0, failed: [] })
    site.clock.advance({ minutes: 6 })
    expect(await site.sweep()).toEqual({ removed: 0, upgraded: 1, failed: [] })
    expect(usersIn(site)).not.toContain(id)
    parked[0]?.()
    await underWay
    expect(site.upgrades).toHaveLength(2)
    expect(await site.sweep()).toEqual({ removed: 0, upgraded: 0, failed: [] })
  })
})
