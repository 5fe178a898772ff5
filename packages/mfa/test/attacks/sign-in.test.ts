import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer } from "@latchkey/core/server"
import { oneTimeCode } from "@latchkey/testing"
import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { codesOn, phone } from "../phone.js"
import { answer, enrolled, held, isHeld, modes, newUser, passkeyOf, signedIn, siteOf, submit } from "../site.js"

describe.each(modes)("with security: %s", (security) => {
  const attack = attackIn(security)
  const site = (...[options, more]: Parameters<typeof siteOf>) => siteOf(options, { security, ...more })

  attack(
    "MFA-02",
    "what waits for the factor reaches no session, update, account, module or server function",
    async () => {
      const its = await site()
      const person = await enrolled(its)
      const browser = await held(its)
      const csrfToken = (await browser.csrf()) ?? ""
      const post = async (path: string, fields: Readonly<Record<string, string>>) =>
        browser.fetch(path, { method: "POST", body: new URLSearchParams({ csrfToken, ...fields }) })
      await post("/auth/session", { data: '{"user":{"name":"thief"}}' })
      await post("/auth/account", { action: "revoke-sessions" })
      await post("/auth/mfa/enroll", { method: "app" })
      await post("/auth/mfa/remove", { method: "app" })
      await post("/auth/mfa/regenerate", {})
      await post("/auth/mfa/verify", { code: person.app.code(its.clock.now()) })
      await post("/auth/mfa/cancel-reset", {})
      expect(await browser.session()).toBeNull()
      const account = await browser.fetch("/auth/account", { headers: { accept: "application/json" } })
      expect(account.status).toBe(401)
      expect(await its.server.methods(person.id)).toEqual(["app"])
      expect(await person.browser.session()).not.toBeNull()
      const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
      const { session } = createServer(its.config)
      expect((await session({ headers: new Headers({ cookie }), origin: "https://app.test" })).session).toBeNull()
      const request = new Request("https://app.test/", { headers: { cookie, "sec-fetch-mode": "navigate" } })
      expect((await its.server.require(request))?.status).toBe(303)
    },
  )

  attack("ADV-BA-08", "until the second factor, no cookie is that of a session", async () => {
    const its = await site()
    const person = await enrolled(its)
    const browser = await held(its)
    const names = (of: typeof browser) => of.cookies.map(({ name }) => name).filter((name) => name.includes("session"))
    expect(names(browser)).toEqual([])
    const response = await browser.fetch("/auth/session")
    expect([await response.json(), response.headers.getSetCookie()]).toEqual([null, []])
    await answer(its, person, browser)
    expect(names(browser)).toHaveLength(1)
    expect(await browser.session()).not.toBeNull()
  })

  attack("MFA-03", "of two tabs with two users, the answer of the one is none for the other", async () => {
    const its = await site()
    const [ada, grace] = [await enrolled(its), await enrolled(its, "grace")]
    its.clock.advance({ minutes: 1 })
    const browser = await held(its, "ada")
    const tab = browser.clone()
    await held(its, "grace", tab)
    // The sign-in that waits is Grace's now, in both tabs.
    await answer(its, ada, browser)
    expect(await browser.session()).toBeNull()
    await answer(its, grace, tab)
    expect(await browser.session()).toMatchObject({ user: { email: "grace@users.test" } })
  })

  attack("MFA-04", "the cookie of a device that Ada trusts is worth nothing for Grace", async () => {
    const its = await site()
    const [ada] = [await enrolled(its), await enrolled(its, "grace")]
    const browser = await signedIn(its, ada, { trust: "yes" })
    await browser.signOut()
    expect(isHeld(await held(its, "grace", browser))).toBe(true)
  })

  attack("MFA-05", "what is stored of a device and of recovery codes isn't accepted in their place", async () => {
    const its = await site()
    const person = await enrolled(its)
    const device = await signedIn(its, person, { trust: "yes" })
    const stored = its.store.rows().records
    const of = (wanted: string) => JSON.parse(stored.find(({ kind }) => kind === wanted)?.data ?? "{}")
    const { hash } = of("mfa.device")
    const [recovery = ""]: readonly string[] = of("mfa.factor").recovery
    const browser = await its.browse()
    for (const cookie of device.cookies.filter(({ name }) => name.endsWith("mfa.device")))
      browser.jar.put({ ...cookie, value: hash })
    expect(browser.cookies).toHaveLength(1)
    await held(its, "ada", browser)
    expect(isHeld(browser)).toBe(true)
    await browser.submitForm("auth/factor", { code: recovery })
    expect(await browser.session()).toBeNull()
  })

  attack("MFA-06", "with a clock that was set back, no code that was used works again, and no older one", async () => {
    const its = await site()
    const person = await enrolled(its)
    its.clock.advance({ minutes: 5 })
    const used = oneTimeCode(person.app.key, its.clock.now())
    const first = await held(its)
    await first.submitForm("auth/factor", { code: used })
    expect(await first.session()).not.toBeNull()
    for (const minutes of [-1, -1]) {
      its.clock.advance({ minutes })
      for (const code of [used, oneTimeCode(person.app.key, its.clock.now())]) {
        const browser = await held(its)
        await browser.submitForm("auth/factor", { code })
        expect(await browser.session()).toBeNull()
      }
    }
  })

  attack("MFA-07", "a code that was used isn't accepted by another process", async () => {
    const its = await site()
    const person = await enrolled(its)
    const other = await its.another({})
    its.clock.advance({ minutes: 1 })
    const code = person.app.code(its.clock.now())
    for (const [place, isAccepted] of [
      [its, true],
      [other, false],
    ] as const) {
      const browser = await held(place)
      await browser.submitForm("auth/factor", { code })
      expect((await browser.session()) !== null).toBe(isAccepted)
    }
  })

  for (const kind of ["of the app", "for recovery", "by email"] as const)
    attack("MFA-07", `of 20 uses of one code ${kind} at once, one wins`, async () => {
      const its = await site()
      const person = await enrolled(its)
      if (kind === "by email") {
        const tab = await signedIn(its, person)
        await submit(tab, "enroll", { method: "email" })
        await tab.submitForm("mfa/confirm", { code: its.letters.at(-1)?.code ?? "" })
      }
      its.clock.advance({ minutes: 1 })
      readTogether(its.store.records, "mfa.factor")
      const browsers = await Promise.all(Array.from({ length: 20 }, async () => held(its)))
      if (kind === "by email") await browsers[0]?.submitForm("auth/factor", { action: "email" })
      const codes = { "of the app": person.app.code(its.clock.now()), "for recovery": person.recovery[0] ?? "" }
      const code = kind === "by email" ? (its.letters.at(-1)?.code ?? "") : codes[kind]
      await Promise.all(browsers.map(async (browser) => browser.submitForm("auth/factor", { code })))
      const sessions = await Promise.all(browsers.map(async (browser) => browser.session()))
      expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    })

  attack(
    "MFA-08",
    "five answers are looked at, whatever they are for, and parallel ones don't get around that",
    async () => {
      const its = await site()
      const person = await enrolled(its)
      its.clock.advance({ minutes: 1 })
      const browser = await held(its)
      const csrfToken = (await browser.csrf()) ?? ""
      const wrong = ["000000", "AAAA-BBBB-CCCC-DDDD-EEEE-FFFF", "1", "", "999999"]
      const send = async (code: string) =>
        browser.fetch("/auth/factor", { method: "POST", body: new URLSearchParams({ code, csrfToken }) })
      await Promise.all(wrong.map(send))
      for (const code of [person.app.code(its.clock.now()), person.recovery[0] ?? ""]) await send(code)
      expect(await browser.session()).toBeNull()
    },
  )

  attack("MFA-08", "a thief of the password who starts again and again is slowed down", async () => {
    const its = await site({}, { rateLimit: {} })
    await enrolled(its)
    for (let again = 0; again < 12; again++) {
      const browser = await held(its)
      for (let guess = 0; guess < 5; guess++)
        await browser.submitForm("auth/factor", { code: "000000" }).catch(() => undefined)
    }
    const looked = its.events.filter(({ name, data }) => name === "factor.answered" && data !== undefined)
    expect(looked.length).toBeLessThanOrEqual(10)
  })

  attack(
    "MFA-11",
    "a user who removes the last passkey and has to have a factor isn't let in without one",
    async () => {
      const its = await site({ require: () => true })
      const browser = await newUser(its)
      const authenticator = await passkeyOf(browser)
      await browser.signOut()
      await browser.signInWithPasskey(authenticator)
      expect(await browser.session()).not.toBeNull()
      await browser.get("/auth/account")
      const id = its.store.rows().authenticators[0]?.credentialID ?? ""
      await browser.post("/auth/account", { action: "remove-passkey", id, csrfToken: (await browser.csrf()) ?? "" })
      expect(its.store.rows().authenticators).toEqual([])
      const tab = await held(its)
      expect(await tab.session()).toBeNull()
      phone().scan(tab)
    },
  )

  attack("MFA-02", "`revoke` ends what waits", async () => {
    const its = await site()
    const person = await enrolled(its)
    const browser = await held(its)
    await createServer(its.config).revoke(person.id)
    await browser
      .post("/auth/factor", { code: person.app.code(its.clock.now()), csrfToken: (await browser.csrf()) ?? "" })
      .catch(() => undefined)
    expect(await browser.session()).toBeNull()
  })

  attack("MFA-12", "a thief of the session gets no recovery codes", async () => {
    const its = await site()
    const { browser } = await enrolled(its)
    await submit(browser, "regenerate")
    expect(codesOn(browser)).toEqual([])
  })
})

/** Lets parallel requests read a record before one of them writes it. */
function readTogether(records: MemoryAdapter["records"], kind: string): void {
  const get = records.get.bind(records)
  records.get = async (wanted, key) => {
    const found = await get(wanted, key)
    const turns = wanted === kind ? 50 : 0
    for (let turn = 0; turn < turns; turn++) await new Promise((resume) => setImmediate(resume))
    return found
  }
}
