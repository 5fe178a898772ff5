import { describe, expect, test } from "vitest"
import { codesOn } from "./phone.js"
import { answer, enrolled, held, isHeld, newUser, signedIn, signInByLink, type Site, siteOf, submit } from "./site.js"

/** A user with codes by email only. */
async function withEmail(site: Site, name = "ada") {
  const browser = await newUser(site, name)
  await submit(browser, "enroll", { method: "email" })
  await browser.submitForm("mfa/confirm", { code: lastCode(site) })
  const recovery = codesOn(browser)
  expect(recovery).toHaveLength(10)
  return { browser, recovery }
}

const lastCode = (site: Site): string => site.letters.findLast(({ code }) => code !== undefined)?.code ?? ""

describe("codes by email", () => {
  test("are set up with a code that was sent there", async () => {
    const site = await siteOf()
    const browser = await newUser(site)
    await submit(browser, "enroll", { method: "email" })
    expect(lastCode(site)).toMatch(/^\d{6}$/)
    await browser.submitForm("mfa/confirm", { code: "000000" })
    expect(browser.response.status).toBe(400)
    await browser.submitForm("mfa/confirm", { code: lastCode(site) })
    expect(await site.server.methods(site.idOf("ada"))).toEqual(["email"])
  })

  test("are sent when the user asks for one, and sign in once", async () => {
    const site = await siteOf()
    await withEmail(site)
    const before = site.letters.length
    const browser = await held(site)
    expect(site.letters).toHaveLength(before)
    await browser.submitForm("auth/factor", { action: "email" })
    expect(browser.text).toContain("A code was sent to a***@users.test")
    expect(site.letters.at(-1)?.to).toBe("ada@users.test")
    const other = await held(site)
    await browser.submitForm("auth/factor", { code: lastCode(site) })
    expect(await browser.session()).not.toBeNull()
    await other.submitForm("auth/factor", { code: lastCode(site) })
    expect(await other.session()).toBeNull()
  })

  test("are kept as nothing that leads to them", async () => {
    const site = await siteOf()
    await withEmail(site)
    const browser = await held(site)
    await browser.submitForm("auth/factor", { action: "email" })
    const code = lastCode(site)
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code))
    const stored = JSON.stringify(site.store.rows().records)
    expect(stored).not.toContain(code)
    expect(stored).not.toContain(Buffer.from(bytes).toString("hex"))
  })

  test("end after 10 minutes", async () => {
    const site = await siteOf()
    await withEmail(site)
    const browser = await held(site)
    await browser.submitForm("auth/factor", { action: "email" })
    await browser.submitForm("auth/factor", { code: lastCode(site) })
    await browser.get("/auth/mfa/verify")
    await browser.submitForm(1)
    site.clock.advance({ minutes: 10, seconds: 1 })
    await browser.submitForm(0, { code: lastCode(site) })
    expect(browser.response.status).toBe(401)
  })

  test("are for one sign-in: another one that waits doesn't accept them", async () => {
    const site = await siteOf()
    await withEmail(site)
    const [one, other] = [await held(site), await held(site)]
    await one.submitForm("auth/factor", { action: "email" })
    await other.submitForm("auth/factor", { code: lastCode(site) })
    expect(await other.session()).toBeNull()
  })

  test("aren't offered to a user who signs in with a link to a mailbox: one mailbox isn't two factors", async () => {
    const site = await siteOf()
    const { recovery } = await withEmail(site)
    const sent = site.letters.length
    const browser = await site.browse()
    await signInByLink(site, browser, "ada")
    expect(browser.text).not.toContain("Send a code by email")
    await browser.submitForm("auth/factor", { action: "email" })
    expect(site.letters).toHaveLength(sent)
    await browser.submitForm("auth/factor", { code: recovery[0] ?? "" })
    expect(await browser.session()).not.toBeNull()
  })

  test("are answers, too: after five, nothing more is sent", async () => {
    const site = await siteOf()
    await withEmail(site)
    const sent = site.letters.length
    const browser = await held(site)
    const csrfToken = (await browser.csrf()) ?? ""
    for (let again = 0; again < 8; again++) await browser.post("/auth/factor", { action: "email", csrfToken })
    expect(site.letters).toHaveLength(sent + 5)
  })

  test("can be left out", async () => {
    const site = await siteOf({ email: false })
    const browser = await newUser(site)
    await browser.get("/auth/account")
    expect(browser.text).not.toContain("Use codes by email")
  })

  test("beside an app, both work, and removing one keeps the other", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const browser = await signedIn(site, person)
    await submit(browser, "enroll", { method: "email" })
    await browser.submitForm("mfa/confirm", { code: lastCode(site) })
    expect(codesOn(browser)).toEqual([])
    expect(await site.server.methods(person.id)).toEqual(["app", "email"])
    await signedIn(site, person)
    const tab = await held(site)
    await tab.submitForm("auth/factor", { action: "email" })
    await tab.submitForm("auth/factor", { code: lastCode(site) })
    await submit(tab, "remove", { method: "app" })
    expect(await site.server.methods(person.id)).toEqual(["email"])
    const last = await held(site)
    await answer(site, person, last)
    expect(await last.session()).toBeNull()
    await last.submitForm("auth/factor", { code: person.recovery[3] ?? "" })
    expect(await last.session()).not.toBeNull()
  })
})

describe("codes by SMS", () => {
  async function withPhone(site: Site) {
    const browser = await newUser(site)
    await submit(browser, "enroll", { method: "sms", phone: "+1 (555) 010-0100" })
    await browser.submitForm("mfa/confirm", { code: site.messages.at(-1)?.code ?? "" })
    return browser
  }

  test("go to the number that the user typed and confirmed", async () => {
    const site = await siteOf()
    await withPhone(site)
    const browser = await held(site)
    await browser.submitForm("auth/factor", { action: "sms" })
    expect(browser.text).toContain("A code was sent to ***100")
    expect(site.messages.at(-1)).toMatchObject({
      to: "+15550100100",
      text: expect.stringContaining("is your code for"),
    })
    await browser.submitForm("auth/factor", { code: site.messages.at(-1)?.code ?? "" })
    expect(await browser.session()).not.toBeNull()
  })

  test.each(["", "12", "javascript:1", "+1 555 CALL ME"])("%j isn't a number", async (phone) => {
    const site = await siteOf()
    const browser = await newUser(site)
    await submit(browser, "enroll", { method: "sms", phone })
    expect(browser.response.status).toBe(400)
    expect(site.messages).toEqual([])
  })

  test("that can't be sent are said to be, and a security event has the reason", async () => {
    const site = await siteOf({ sms: { send: () => Promise.reject(new Error("no credit, key 123")) } })
    const browser = await newUser(site)
    await submit(browser, "enroll", { method: "sms", phone: "+15550100100" })
    expect(browser.text).toContain("couldn&#39;t be sent")
    expect(site.events).toContainEqual(
      expect.objectContaining({ name: "mfa.code-sent", outcome: "failure", reason: "Error" }),
    )
  })

  test("to one number are limited", async () => {
    const site = await siteOf({}, { rateLimit: {} })
    const browser = await newUser(site)
    for (let again = 0; again < 8; again++) await submit(browser, "enroll", { method: "sms", phone: "+15550100100" })
    expect(site.messages).toHaveLength(5)
  })

  test("of one user are limited, whatever the numbers", async () => {
    const site = await siteOf({}, { rateLimit: {} })
    const browser = await newUser(site)
    for (let last = 0; last < 8; last++) await submit(browser, "enroll", { method: "sms", phone: `+1555010010${last}` })
    expect(site.messages).toHaveLength(5)
  })
})

test("a method that isn't offered can't be set up", async () => {
  const site = await siteOf({ email: false })
  const browser = await newUser(site)
  const csrfToken = (await browser.csrf()) ?? ""
  for (const method of ["email", "__proto__", "userId", ""])
    await browser.post("/auth/mfa/enroll", { method, csrfToken })
  expect(site.letters).toEqual([])
  expect(isHeld(await held(site))).toBe(false)
})
