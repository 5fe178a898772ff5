import { createServer } from "@latchkey/core/server"
import { oneTimeCode } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { codesOn, phone } from "./phone.js"
import { answer, enrolled, held, isHeld, newUser, setsSession, signedIn, signInByLink, siteOf, submit } from "./site.js"

describe("an authenticator app", () => {
  test("is set up with a QR code made here and the key as text, of at least 160 bits", async () => {
    const site = await siteOf({ issuer: "Acme & Co" })
    const browser = await newUser(site)
    await submit(browser, "enroll", { method: "app" })
    const [key = ""] = codesOn(browser)
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    const svg = /src="data:image\/svg\+xml,([^"]+)"/.exec(browser.text)?.[1] ?? ""
    expect(decodeURIComponent(svg)).toMatch(/^<svg /)
    expect(JSON.stringify(site.store.rows().records)).not.toContain(key)
  })

  test("holds the next sign-in, and its code signs in", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const browser = await held(site)
    expect(isHeld(browser)).toBe(true)
    expect(setsSession(browser)).toBe(false)
    expect(await browser.session()).toBeNull()
    await answer(site, person, browser)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@users.test" } })
  })

  test("isn't on before a code of it was typed", async () => {
    const site = await siteOf()
    const browser = await newUser(site)
    await submit(browser, "enroll", { method: "app" })
    await browser.submitForm("mfa/confirm", { code: "000000" })
    expect(browser.response.status).toBe(400)
    expect(await site.server.isEnrolled(site.idOf("ada"))).toBe(false)
    expect(isHeld(await held(site))).toBe(false)
  })

  test("the code of the enrollment counts as used", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const browser = await held(site)
    await browser.submitForm("auth/factor", { code: oneTimeCode(person.app.key, site.clock.now()) })
    expect(browser.response.status).toBe(401)
    expect(await browser.session()).toBeNull()
  })

  test.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("the code of %i steps from now is accepted: %s", async (steps, isAccepted) => {
    const site = await siteOf()
    const person = await enrolled(site)
    site.clock.advance({ minutes: 5 })
    const browser = await held(site)
    await browser.submitForm("auth/factor", {
      code: oneTimeCode(person.app.key, site.clock.now() + steps * 30_000),
    })
    expect((await browser.session()) !== null).toBe(isAccepted)
  })

  test("a code may be typed with spaces", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const code = person.app.code(site.clock.now())
    const browser = await held(site)
    await answer(site, person, browser, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })
    expect(await browser.session()).not.toBeNull()
  })

  test("the answer to another user's app is no answer", async () => {
    const site = await siteOf()
    await enrolled(site)
    const grace = await enrolled(site, "grace")
    const browser = await held(site)
    await answer(site, grace, browser)
    expect(await browser.session()).toBeNull()
  })
})

describe("recovery codes", () => {
  test("are ten of 120 bits, of which only hashes are stored", async () => {
    const site = await siteOf()
    const { recovery } = await enrolled(site)
    expect(new Set(recovery).size).toBe(10)
    for (const code of recovery) expect(code).toMatch(/^(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)
    const stored = JSON.stringify(site.store.rows().records)
    for (const code of recovery) expect(stored).not.toContain(code.replaceAll("-", ""))
  })

  test("aren't shown again, but how many are left", async () => {
    const site = await siteOf()
    const { browser, recovery } = await enrolled(site)
    await browser.get("/auth/account")
    expect(browser.text).toContain("Recovery codes left: 10")
    for (const code of recovery) expect(browser.text).not.toContain(code)
  })

  test("sign in once each, also in small letters, and an email says so", async () => {
    const site = await siteOf()
    const { recovery } = await enrolled(site)
    const [code = ""] = recovery
    for (const isAccepted of [true, false]) {
      const browser = await held(site)
      await browser.submitForm("auth/factor", { code: code.toLowerCase().replaceAll("-", " ") })
      expect((await browser.session()) !== null).toBe(isAccepted)
    }
    expect(site.letters.map(({ to, text }) => [to, text])).toContainEqual([
      "ada@users.test",
      "A recovery code was used for your account. Codes left: 9.",
    ])
    expect(site.events).toContainEqual(
      expect.objectContaining({ name: "mfa.recovery-used", data: { left: "9" }, outcome: "success" }),
    )
  })

  test("are replaced: the former ones don't work anymore, and an email says so", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const browser = await signedIn(site, person)
    await submit(browser, "regenerate")
    const fresh = codesOn(browser)
    expect(fresh).toHaveLength(10)
    expect(site.letters.at(-1)?.text).toContain("You have new recovery codes")
    for (const [code, isAccepted] of [
      [person.recovery[0], false],
      [fresh[0], true],
    ] as const) {
      const tab = await held(site)
      await tab.submitForm("auth/factor", { code: code ?? "" })
      expect((await tab.session()) !== null).toBe(isAccepted)
    }
  })
})

describe("what changes the factor", () => {
  test("needs a recent sign-in", async () => {
    const site = await siteOf({}, { session: { strategy: "jwt", absoluteMaxAge: 864_000 } })
    const browser = await newUser(site)
    await browser.get("/auth/account")
    const before = browser.clone()
    await before.get("/auth/account")
    site.clock.advance({ minutes: 16 })
    await before.submitForm("mfa/enroll", { method: "app" })
    expect(before.location).toContain("/auth/signin")
  })

  test.each(["remove", "regenerate", "enroll"])("%s needs the factor, too, and not only a session", async (route) => {
    const site = await siteOf()
    const person = await enrolled(site)
    // The user set it up here, but was never asked for it.
    await submit(person.browser, route, route === "regenerate" ? {} : { method: route === "enroll" ? "email" : "app" })
    expect(person.browser.text).toContain("Confirm that it&#39;s you")
    expect(await site.server.methods(person.id)).toEqual(["app"])
    await person.browser.submitForm("mfa/verify", { code: person.app.code(site.clock.now()) })
    expect(new URL(person.browser.location).pathname).toBe("/auth/account")
    await submit(person.browser, route, route === "regenerate" ? {} : { method: route === "enroll" ? "email" : "app" })
    expect(person.browser.text).not.toContain("Confirm that it")
  })

  test("removes the last method, the recovery codes and the question, and an email says so", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const browser = await signedIn(site, person)
    await submit(browser, "remove", { method: "app" })
    expect(await site.server.isEnrolled(person.id)).toBe(false)
    expect(isHeld(await held(site))).toBe(false)
    expect(site.letters.at(-1)?.text).toContain("was removed from your account")
    expect(site.events.map(({ name }) => name)).toEqual(expect.arrayContaining(["mfa.enrolled", "mfa.removed"]))
  })

  test("says in an email that the app was set up, and offers to end other sessions", async () => {
    const site = await siteOf()
    const { browser } = await enrolled(site)
    expect(site.letters.map(({ text }) => text)).toEqual([
      "A method of two-step verification was added to your account.",
    ])
    expect(browser.text).toContain("You may still be signed in elsewhere")
  })

  test("works without an email provider, and the doctor says what is missing", async () => {
    const { config, store } = await siteOf()
    const providers = config.providers.filter((each) => typeof each === "function" || each.type !== "email")
    const site = await siteOf({}, { providers, adapter: store })
    await store.createUser?.({ id: "u1", name: null, email: "ada@users.test", emailVerified: null })
    const browser = await held(site)
    expect(browser.text).not.toContain("Use codes by email")
    await submit(browser, "enroll", { method: "app" })
    const app = phone()
    app.scan(browser)
    await browser.submitForm("mfa/confirm", { code: app.code(site.clock.now()) })
    expect(codesOn(browser)).toHaveLength(10)
    const { moduleFindings } = createServer(site.config)
    expect(await moduleFindings()).toEqual([
      { module: "mfa", finding: expect.stringContaining("Add an email provider") },
    ])
    expect(site.events.filter(({ name }) => name === "mfa.notice-failed")).toEqual([])
  })
})

test("a sign-in with a link is held as well", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  const browser = await site.browse()
  await signInByLink(site, browser, "ada")
  expect(isHeld(browser)).toBe(true)
  await answer(site, person, browser)
  expect(await browser.session()).not.toBeNull()
})

test("an app that is set up anew replaces the former one", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  const browser = await signedIn(site, person)
  await browser.post("/auth/mfa/enroll", { method: "app", csrfToken: (await browser.csrf()) ?? "" })
  const app = phone()
  app.scan(browser)
  await browser.submitForm("mfa/confirm", { code: app.code(site.clock.now()) })
  site.clock.advance({ minutes: 5 })
  const former = await held(site)
  await answer(site, person, former)
  expect(await former.session()).toBeNull()
  await signedIn(site, { ...person, app })
})
