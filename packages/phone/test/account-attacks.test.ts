import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { anonymous } from "@latchkey/anonymous"
import { mfa } from "@latchkey/mfa"
import { type Browser, oneTimeCode } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { attackIn } from "../../../tests/attack.js"
import { ada, ask, codeOf, enter, grace, isSignedIn, modes, ownerOf, signedIn, signInByLink, siteOf } from "./site.js"

const guests = { session: { strategy: "database", stepUp: true }, modules: [anonymous()] } as const

async function post(browser: Browser, route: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post(`/auth/${route}`, { csrfToken, ...fields })
}

describe.each(modes)("attacks on the number of an account (%s)", (mode) => {
  const attack = attackIn(mode)

  attack(
    "PHONE-10",
    "a session that lacks the second factor of its user neither adds, replaces nor removes a number",
    async () => {
      const site = siteOf({ mode, config: { modules: [mfa()] } })
      const own = await signedIn(site)
      const thief = own.clone()
      const id = await ownerOf(site, ada)
      await own.get("/auth/account")
      await own.submitForm("mfa/enroll", { method: "app" })
      const [, secret = ""] = /<li>([A-Z2-7]{32})<\/li>/.exec(own.text) ?? []
      await own.submitForm("mfa/confirm", { code: oneTimeCode(secret, site.clock.now()) })
      await site.store.updateUser?.({ id: id ?? "", email: "ada@users.test" })
      await thief.get("/auth/account")
      const { fields } = thief.forms.find(({ action }) => action.endsWith("phone/remove")) ?? { fields: {} }
      await post(thief, "phone/add", { phone: grace })
      expect(new URL(thief.location).pathname).toMatch(/^\/auth\/(?:mfa\/verify|step-up)$/)
      await post(thief, "phone/remove", fields)
      expect([site.messages.length, await ownerOf(site, ada)]).toEqual([1, id])
      site.clock.advance({ minutes: 1 })
      await own.get("/auth/mfa/verify")
      await own.submitForm("mfa/verify", { code: oneTimeCode(secret, site.clock.now()) })
      await own.get("/auth/account")
      await own.submitForm("phone/add", { phone: grace })
      expect(site.messages.at(-1)?.to).toBe(grace)
    },
  )

  attack(
    "PHONE-15",
    "an anonymous user can't add a number where sign-up is closed, not even with a code from before",
    async () => {
      const site = siteOf({ mode, signUp: "closed", config: guests })
      const guest = await site.open()
      await guest.signIn("anonymous")
      await guest.get("/auth/account")
      expect(guest.forms.filter(({ action }) => action.includes("phone"))).toEqual([])
      await post(guest, "phone/add", { phone: ada })
      expect([guest.response.status, site.messages]).toEqual([400, []])
      const open = siteOf({ mode, config: guests, store: site.store })
      await post(guest, "phone/add", { phone: ada })
      const waiting = await open.open()
      await waiting.signIn("anonymous")
      await waiting.get("/auth/account")
      await waiting.submitForm("phone/add", { phone: ada })
      const closed = await site.open()
      for (const cookie of waiting.cookies) closed.jar.put(cookie)
      await post(closed, "callback/phone", { step: "code", phone: ada, code: codeOf(open) })
      expect(await ownerOf(site, ada)).toBeUndefined()
    },
  )

  test("a user with an email adds a number where sign-up is closed", async () => {
    const site = siteOf({ mode, signUp: "closed" })
    const browser = await site.open()
    await signInByLink(site, browser, "ada@users.test")
    await browser.get("/auth/account")
    await browser.submitForm("phone/add", { phone: ada })
    await enter(browser, codeOf(site))
    expect(await ownerOf(site, ada)).toBeDefined()
  })

  attack("PHONE-09", "many anonymous users of one address share its messages and its answers", async () => {
    const rateLimit = { address: () => "198.51.100.1" }
    const site = siteOf({ mode, config: { ...guests, rateLimit, modules: [anonymous({ perHour: 100 })] } })
    for (let index = 10; index < 25; index++) {
      const guest = await site.open()
      await guest.signIn("anonymous")
      await post(guest, "phone/add", { phone: `+4477009001${index}` })
    }
    expect(site.messages).toHaveLength(10)
    let answers = 0
    for (let index = 0; index < 40; index++) {
      const guest = await site.open()
      await guest.signIn("anonymous")
      await post(guest, "callback/phone", { step: "code", phone: ada, code: "123456" })
      if (guest.response.status === 400) answers++
    }
    expect(answers).toBeLessThanOrEqual(30)
  })

  attack("PHONE-09", "with a CAPTCHA, each number that is added needs one", async () => {
    const captcha = {
      field: "proof",
      actions: ["sign-up"],
      verify: ({ token }: { token: string }) => token === "good",
    } as const
    const site = siteOf({ mode, config: { captcha } })
    const browser = await site.open()
    await signInByLink(site, browser, "ada@users.test")
    const { fields } = await solve(browser)
    expect([browser.response.status, site.messages]).toEqual([400, []])
    await browser.post("/auth/phone/add", { ...fields, phone: ada, proof: "good" })
    expect(site.messages).toHaveLength(1)
  })

  attack(
    "PHONE-12",
    "a number that is replaced doesn't sign in anymore, also if the database failed for a moment",
    async () => {
      const store = memoryAdapter()
      let fails = 0
      const unlinkAccount: typeof store.unlinkAccount = async (account) => {
        if (fails-- > 0) throw new Error("deadlock")
        await store.unlinkAccount?.(account)
      }
      const site = siteOf({ mode, store: { ...store, unlinkAccount } })
      const browser = await signedIn(site)
      const id = await ownerOf(site, ada)
      await browser.get("/auth/account")
      await browser.submitForm("phone/add", { phone: grace })
      fails = 1
      await enter(browser, codeOf(site))
      expect([await ownerOf(site, grace), await ownerOf(site, ada)]).toEqual([id, undefined])
    },
  )

  attack("PHONE-06", "the account page has the number nowhere", async () => {
    const site = siteOf({ mode })
    const browser = await signedIn(site)
    await browser.get("/auth/account")
    const { fields } = browser.forms.find(({ action }) => action.endsWith("phone/remove")) ?? { fields: {} }
    expect(Object.keys(fields)).toContain("number")
    expect(await (await browser.fetch("/auth/account")).text()).not.toContain(ada.slice(1))
  })
})

/** The account page has no CAPTCHA, so the first answer is a page with one. */
async function solve(browser: Browser) {
  await browser.get("/auth/account")
  const index = browser.forms.findIndex(({ action }) => action.endsWith("phone/add"))
  if (index >= 0) await browser.submitForm(index, { phone: ada })
  return browser.forms[0] ?? { fields: {} }
}

describe.each(modes)("attacks on the messages (%s)", (mode) => {
  const attack = attackIn(mode)

  attack(
    "PHONE-13",
    "strangers who use up the codes of a number don't keep a browser from it that has signed in",
    async () => {
      const site = siteOf({ mode, config: { rateLimit: { address: (headers) => headers.get("x-ip") ?? undefined } } })
      const own = await signedIn(site, ada, await site.open({ "x-ip": "192.0.2.1" }))
      await own.signOut()
      for (let index = 0; index < 30; index++) {
        await ask(await site.open({ "x-ip": `198.51.100.${index}` }), ada)
        if (index % 6 === 5) site.clock.advance({ hours: 1, seconds: 1 })
      }
      expect(site.messages).toHaveLength(10)
      await signedIn(site, ada, own)
      expect(await isSignedIn(own)).toBe(true)
      const other = await site.open({ "x-ip": "192.0.2.2" })
      for (const cookie of own.cookies) if (cookie.name.includes("phone.known")) other.jar.put(cookie)
      // Known for another number, or for none: the cookie is worth nothing.
      const before = site.messages.length
      for (let index = 0; index < 8; index++) await ask(other, grace)
      expect(site.messages.length - before).toBe(5)
      expect(JSON.stringify(own.cookies)).not.toContain(ada.slice(1))
    },
  )

  attack("PHONE-13", "all known browsers of a number share a budget", async () => {
    const site = siteOf({ mode, config: { rateLimit: { address: (headers) => headers.get("x-ip") ?? undefined } } })
    const known: Browser[] = []
    for (let index = 0; index < 4; index++)
      known.push(await signedIn(site, ada, await site.open({ "x-ip": `192.0.2.${index}` })))
    const before = site.messages.length
    for (let round = 0; round < 4; round++) for (const browser of known) await ask(browser, ada)
    expect(site.messages.length - before).toBe(5)
  })

  attack("PHONE-12", "`revoke` ends every code, however many have expired", async () => {
    const site = siteOf({ mode })
    await signedIn(site)
    const id = (await ownerOf(site, ada)) ?? ""
    for (let index = 0; index < 130; index++) await ask(await site.open(), ada)
    site.clock.advance({ minutes: 9 })
    const waiting: (readonly [Browser, string])[] = []
    for (let index = 0; index < 15; index++) {
      const browser = await site.open()
      await ask(browser, ada)
      waiting.push([browser, codeOf(site)])
    }
    site.clock.advance({ minutes: 2 })
    await site.server.revoke(id)
    for (const [browser, code] of waiting) {
      await enter(browser, code)
      expect(await isSignedIn(browser)).toBe(false)
    }
  })

  attack("PHONE-12", "a code from before `AUTH_SECRET` was replaced is one that doesn't work anymore", async () => {
    const before = siteOf({ mode })
    await signedIn(before)
    const id = (await ownerOf(before, ada)) ?? ""
    const browser = await before.open()
    await ask(browser, ada)
    const config = { secret: "Zq7Lw2pV5aJ8eRqG1fD6sB4hxZ9Tn3oQ7m8u1lYu2v5c" }
    const site = siteOf({ mode, config, store: before.store })
    const later = await site.open()
    for (const cookie of browser.cookies) if (!cookie.name.includes("csrf")) later.jar.put(cookie)
    await post(later, "callback/phone", { step: "code", phone: ada, code: codeOf(before) })
    expect([later.response.status, await isSignedIn(later)]).toEqual([400, false])
    expect(later.text).toContain("doesn&#39;t work anymore")
    await site.server.revoke(id)
    expect(site.store.rows().records?.filter(({ kind }) => kind === "phone.code") ?? []).toEqual([])
  })

  test("`allow` that throws is told like a message that couldn't be sent", async () => {
    const site = siteOf({ mode, allow: () => Promise.reject(new Error("lookup 4711 is down")) })
    const browser = await site.open()
    await ask(browser, ada)
    expect([browser.response.status, site.messages]).toEqual([400, []])
    expect(browser.text).toContain("couldn&#39;t be sent")
    expect(browser.text + JSON.stringify(site.log.entries)).not.toContain("4711")
    expect(site.events).toMatchObject([{ name: "phone.code-sent", outcome: "failure" }])
  })
})

test("with `trustHost: true`, a message names no host of the request", async () => {
  const site = siteOf({ config: { url: undefined, trustHost: true } })
  const browser = await site.open()
  const body = new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", phone: ada })
  const headers = { "x-forwarded-host": "evil.test", origin: "https://evil.test" }
  await browser.fetch("/auth/callback/phone", { method: "POST", headers, body })
  expect(site.messages.map(({ text, code }) => text === code)).toEqual([true])
})
