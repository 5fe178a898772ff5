import { expect, describe } from "vitest"
import { attackIn } from "../../../tests/attack.js"
import { ada, ask, codeOf, enter, grace, isSignedIn, modes, ownerOf, signedIn, siteOf, wrong } from "./site.js"

describe.each(modes)("attacks on codes (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("PHONE-01", "20 parallel uses of a code are one sign-in", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await ask(browser, ada)
    const { fields, action } = browser.forms.find(({ fields: all }) => "code" in all) ?? { fields: {}, action: "" }
    const body = new URLSearchParams({ ...fields, code: codeOf(site) })
    await Promise.all(Array.from({ length: 20 }, async () => browser.fetch(action, { method: "POST", body })))
    expect(site.signIns).toHaveLength(1)
    expect(site.store.rows().users).toHaveLength(1)
  })

  attack("PHONE-02", "five wrong answers end a code, and the sixth answer isn't looked at", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await ask(browser, ada)
    const code = codeOf(site)
    for (let left = 5; left > 0; left--) await enter(browser, wrong(code))
    await browser.submitForm("callback/phone", { code })
    expect(await isSignedIn(browser)).toBe(false)
  })

  attack("PHONE-03", "a code works in the browser that asked for it alone, for its number, and once", async () => {
    const site = siteOf({ mode })
    const [own, other] = [await site.open(), await site.open()]
    await ask(own, ada)
    const code = codeOf(site)
    await ask(other, grace)
    await enter(other, code)
    expect(await isSignedIn(other)).toBe(codeOf(site) === code)
    const tab = own.clone()
    await ask(tab, grace)
    await enter(own, codeOf(site))
    expect([await isSignedIn(own), await ownerOf(site, ada)]).toEqual([false, undefined])
    await ask(own, ada)
    const used = codeOf(site)
    const { fields, action } = own.forms[0] ?? { fields: {}, action: "" }
    await enter(own, used)
    expect(await isSignedIn(own)).toBe(true)
    await own.signOut()
    const csrfToken = (await own.csrf()) ?? ""
    await own.post(action, { ...fields, csrfToken, code: used })
    expect(await isSignedIn(own)).toBe(false)
  })

  attack("PHONE-04", "a code ends after ten minutes, also in a browser that keeps the cookie", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await ask(browser, ada)
    const kept = browser.cookies.find(({ name }) => name.endsWith("phone.flow"))
    site.clock.advance({ minutes: 10, seconds: 1 })
    if (kept !== undefined) browser.jar.put({ ...kept, expires: undefined })
    await enter(browser, codeOf(site))
    expect([kept === undefined, await isSignedIn(browser)]).toEqual([false, false])
  })

  attack("PHONE-05", "the page is the same for numbers with and without a user", async () => {
    const site = siteOf({ mode })
    await signedIn(site)
    const pages: string[] = []
    for (const number of [ada, grace]) {
      const browser = await site.open()
      await ask(browser, number)
      const { status, headers } = browser.response
      const cookies = headers
        .getSetCookie()
        .map((line) => line.replace(/=[^;]*/, ""))
        .toSorted()
      const text = browser.text.replaceAll(number, "NUMBER").replaceAll(/[0-9a-f]{32,}(?:%7C\S*|\|\S*)?/g, "")
      pages.push(JSON.stringify([status, cookies, text.replaceAll(/nonce[^ >]*/g, "")]))
    }
    expect(pages[0]).toBe(pages[1])
  })

  attack("PHONE-06", "what is stored doesn't sign in, and has neither the code nor the number", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await ask(browser, ada)
    const stored = JSON.stringify(site.store.rows().records)
    expect(stored).not.toContain(codeOf(site))
    expect(stored).not.toContain(ada.slice(1))
    expect(JSON.stringify(site.log.entries) + JSON.stringify(site.events)).not.toContain(ada.slice(1))
  })

  attack("PHONE-07", "another site can't send codes or use them", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await browser.post("/auth/callback/phone", { phone: ada, csrfToken: "x" })
    expect(site.messages).toEqual([])
    await ask(browser, ada)
    await browser.post("/auth/callback/phone", { step: "code", phone: ada, code: codeOf(site) })
    expect(await isSignedIn(browser)).toBe(false)
  })

  attack("PHONE-08", "odd input is never a failure of the server", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    for (const fields of [
      { step: "code", phone: ada, code: "123456" },
      { step: "code", phone: "x".repeat(5000), code: "\u0000" },
      { step: "__proto__", phone: "\uD800" },
      { phone: "+44\n7700900123\r\n" },
      { phone: "" },
    ]) {
      await browser.get("/auth/phone")
      const csrfToken = browser.forms[0]?.fields["csrfToken"] ?? ""
      await browser.post("/auth/callback/phone", { csrfToken, ...fields })
      expect(browser.response.status).toBeLessThan(500)
    }
  })
})

describe.each(modes)("the cost of messages (%s)", (mode) => {
  const attack = attackIn(mode)

  const limited = { config: { rateLimit: {} } }

  attack("PHONE-09", "a number gets five codes in an hour, from whatever address", async () => {
    const site = siteOf({
      mode,
      config: { rateLimit: { address: (headers) => headers.get("x-ip") ?? undefined } },
    })
    for (let index = 0; index < 8; index++) await ask(await site.open({ "x-ip": `198.51.100.${index}` }), ada)
    expect(site.messages).toHaveLength(5)
  })

  attack("PHONE-09", "a visitor asks for ten codes in an hour, for whatever numbers", async () => {
    const site = siteOf({ mode, config: { rateLimit: { address: () => "198.51.100.1" } } })
    for (let index = 10; index < 25; index++) await ask(await site.open(), `+4477009001${index}`)
    expect(site.messages).toHaveLength(10)
  })

  attack("PHONE-09", "the site sends no more than `maxPerDay`, and no more than the limit of a prefix", async () => {
    const own = { "+44": 3, "+4477009009": 1 }
    const site = siteOf({ mode, ...limited, maxPerDay: 5, prefixes: { ...own, "+49": 100 } })
    for (let index = 10; index < 16; index++) await ask(await site.open(), `+4477009001${index}`)
    expect(site.messages).toHaveLength(3)
    for (const last of [1, 2]) await ask(await site.open(), `+44770090090${last}`)
    expect(site.messages).toHaveLength(4)
    for (let index = 10; index < 13; index++) await ask(await site.open(), `+4915112345${index}`)
    expect(site.messages).toHaveLength(5)
  })

  attack("PHONE-09", "numbers with another prefix get nothing, nor do those that `allow` refuses", async () => {
    const site = siteOf({ mode, prefixes: { "+44": 10 }, allow: (number) => number !== grace })
    for (const number of ["+88213123456", grace, ada]) {
      const browser = await site.open()
      await ask(browser, number)
      expect(browser.text.includes("No code can be sent")).toBe(number !== ada)
    }
    expect(site.messages.map(({ to }) => to)).toEqual([ada])
  })

  attack("PHONE-09", "with a CAPTCHA, no message is sent before it's solved", async () => {
    const captcha = { field: "proof", verify: ({ token }: { token: string }) => token === "good" }
    const site = siteOf({ mode, config: { captcha } })
    const browser = await site.open()
    await ask(browser, ada)
    expect([browser.response.status, site.messages]).toEqual([400, []])
    const { fields } = browser.forms[0] ?? { fields: {} }
    await browser.post("/auth/callback/phone", { ...fields, phone: ada, proof: "good" })
    expect(site.messages).toHaveLength(1)
  })
})
