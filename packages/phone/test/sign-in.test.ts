import { expect, describe, test } from "vitest"
import { attackIn } from "../../../tests/attack.js"
import { ada, ask, codeOf, enter, isSignedIn, modes, ownerOf, signedIn, siteOf, wrong } from "./site.js"

describe.each(modes)("sign-in by phone (%s)", (mode) => {
  const attack = attackIn(mode)

  test("from the sign-in page, without JavaScript: number, code, and back to where the visitor was", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await browser.get("/auth/signin?callbackUrl=%2Fprices")
    await browser.submitForm("callback/phone")
    await browser.submitForm("callback/phone", { phone: "+44 (0)7700 900-123" })
    expect(browser.text).toContain('autocomplete="one-time-code"')
    expect(site.messages).toMatchObject([{ to: ada, user: undefined }])
    await enter(browser, codeOf(site))
    expect(new URL(browser.location).pathname).toBe("/prices")
    expect(await isSignedIn(browser)).toBe(true)
  })

  test("creates a user without an email the first time, and signs the same user in later", async () => {
    const site = siteOf({ mode })
    await signedIn(site)
    const id = await ownerOf(site, ada)
    await signedIn(site)
    expect(site.store.rows().users).toMatchObject([{ id, emailVerified: null }])
    expect(await site.server.members["phone"]?.["numbersOf"]?.(id)).toEqual([ada])
  })

  test("the last line of the message binds the code to the host", async () => {
    const site = siteOf({ mode })
    await ask(await site.open(), ada)
    const [message] = site.messages
    expect(message?.text.split("\n").at(-1)).toBe(`@app.test #${message?.code}`)
    expect(message?.text).toContain(`${message?.code} is your code for`)
  })

  test("the session says that the method was a text message, and is enough for level 1 only", async () => {
    const site = siteOf({ mode })
    const browser = await signedIn(site)
    expect(site.signIns).toMatchObject([{ amr: ["sms"], isNewUser: true }])
    expect(await (await browser.fetch("/auth/probe/level")).json()).toEqual({ one: true, two: false })
  })

  test("works with sessions in cookies", async () => {
    const site = siteOf({ mode, config: { session: { strategy: "jwt", stepUp: true } } })
    const browser = await signedIn(site)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await (await browser.fetch("/auth/probe/level")).json()).toEqual({ one: true, two: false })
  })

  attack("PHONE-14", "the message names the host of the configuration, whatever the request says", async () => {
    const site = siteOf({ mode })
    await ask(await site.open({ host: "evil.test", "x-forwarded-host": "evil.test" }), ada)
    expect(site.messages[0]?.text).toContain("@app.test #")
    expect(site.messages[0]?.text).not.toContain("evil")
  })

  test("what isn't a number gets the form again, with what was typed", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    for (const typed of ["0770", "+0123456789", "7700900123", "+44 7700 900123 ext. 5", "+".padEnd(41, "1")]) {
      await ask(browser, typed)
      expect([typed, browser.response.status]).toEqual([typed, 400])
      expect(browser.text).toContain("country code")
    }
    expect(site.messages).toEqual([])
  })

  test("with `country`, a number may be typed without its calling code", async () => {
    const site = siteOf({ mode, country: "+44" })
    await ask(await site.open(), "07700 900123")
    await ask(await site.open(), "0044 7700 900123")
    await ask(await site.open(), "＋４４ 7700.900.123")
    expect(site.messages.map(({ to }) => to)).toEqual([ada, ada, ada])
  })

  test("a message that can't be sent is told to the visitor, without the reason", async () => {
    const site = siteOf({ mode, send: () => Promise.reject(new Error("no credit on account 4711")) })
    const browser = await site.open()
    await ask(browser, ada)
    expect(browser.response.status).toBe(400)
    expect(browser.text).toContain("couldn&#39;t be sent")
    expect(browser.text + JSON.stringify(site.log.entries)).not.toContain("4711")
    expect(site.events).toMatchObject([{ name: "phone.code-sent", outcome: "failure", data: { number: "***123" } }])
  })

  attack("PHONE-15", "closed sign-up lets only users in, and the page for the code is the same", async () => {
    const open = siteOf({ mode })
    await signedIn(open)
    const { store } = open
    const site = siteOf({ mode, signUp: "closed", store })
    const [known, unknown] = [await site.open(), await site.open()]
    await ask(known, ada)
    await enter(known, codeOf(site))
    expect(await isSignedIn(known)).toBe(true)
    await ask(unknown, "+447700900999")
    expect(unknown.response.status).toBe(200)
    await enter(unknown, codeOf(site))
    expect(unknown.location).toContain("error=AccessDenied")
    expect(store.rows().users).toHaveLength(1)
  })

  attack("PHONE-15", "the signUp callback may refuse, and nothing is stored", async () => {
    const site = siteOf({ mode, config: { callbacks: { signUp: () => false } } })
    const browser = await signedIn(site)
    expect([await isSignedIn(browser), site.store.rows().users]).toEqual([false, []])
  })

  test("a wrong code can be corrected, and a code that is too old can't", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await ask(browser, ada)
    await enter(browser, wrong(codeOf(site)))
    expect([browser.response.status, await isSignedIn(browser)]).toEqual([400, false])
    await enter(browser, codeOf(site))
    expect(await isSignedIn(browser)).toBe(true)
    const late = await site.open()
    await ask(late, ada)
    site.clock.advance({ minutes: 10, seconds: 1 })
    await enter(late, codeOf(site))
    expect([late.response.status, await isSignedIn(late)]).toEqual([400, false])
  })
})
