import { authenticatorFaults, type Browser, createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { askedOn, choose, confirm, holder, signedOn, usePasskey } from "../passkeys.js"
import { answer, enrolled, held, isHeld, modes, newUser, passkeyOf, signedIn, siteOf, submit } from "../site.js"

async function post(browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const body = new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", ...fields })
  return browser.fetch(path, { method: "POST", body })
}

/** As those of phones, so that no counter gives a replay away. */
const uncounted = { counter: false } as const

describe.each(modes)("with security: %s", (security) => {
  const attack = attackIn(security)
  const site = (...[options, more]: Parameters<typeof siteOf>) => siteOf(options, { security, ...more })

  test("what a passkey signed for a sign-in isn't a second factor", async () => {
    const its = await site()
    const { authenticator } = await holder(its)
    const browser = await held(its)
    const response = await browser.fetch("/auth/webauthn-options/passkey?action=authenticate")
    const { options } = (await response.json()) as { readonly options: Parameters<typeof authenticator.get>[0] }
    const passkey = JSON.stringify(await authenticator.get(options))
    expect((await post(browser, "/auth/factor", { passkey })).status).toBe(401)
    expect(await browser.session()).toBeNull()
  })

  test("what a passkey signed as the second factor isn't a sign-in", async () => {
    const its = await site()
    const { authenticator } = await holder(its)
    const browser = await held(its)
    const data = await signedOn(browser, authenticator)
    await browser.fetch("/auth/webauthn-options/passkey?action=authenticate")
    await post(browser, "/auth/callback/passkey", { action: "authenticate", data })
    expect(await browser.session()).toBeNull()
  })

  test("an answer for one sign-in is none for another one, of the same user or another", async () => {
    const its = await site()
    const [ada] = [await holder(its), await holder(its, "grace")]
    const passkey = await signedOn(await held(its), ada.authenticator)
    for (const name of ["ada", "grace"]) {
      const browser = await held(its, name)
      expect((await post(browser, "/auth/factor", { passkey })).status).toBe(401)
      expect(await browser.session()).toBeNull()
    }
  })

  test("the passkey of another user doesn't answer, whatever it signs", async () => {
    const its = await site()
    const [, grace] = [await holder(its), await holder(its, "grace")]
    const browser = await held(its)
    const asked = askedOn(browser)
    expect(asked?.allowCredentials).toHaveLength(1)
    const { allowCredentials: _, ...open } = asked ?? { challenge: "" }
    const passkey = JSON.stringify(await grace.authenticator.get(open))
    expect((await post(browser, "/auth/factor", { passkey })).status).toBe(401)
    expect(await browser.session()).toBeNull()
  })

  attack(
    "MFA-12",
    "a thief of the session adds no passkey, which would sign in without the second factor",
    async () => {
      const its = await site()
      const { browser } = await enrolled(its)
      its.clock.advance({ minutes: 16 })
      const options = await browser.fetch("/auth/webauthn-options/passkey?action=register")
      expect(options.status).toBe(403)
      expect(its.store.rows().authenticators).toEqual([])
    },
  )

  attack("MFA-12", "a passkey isn't added if the proof of the second factor is too old by then", async () => {
    const its = await site()
    const browser = await signedIn(its, await enrolled(its))
    its.clock.advance({ minutes: 14 })
    const authenticator = createAuthenticator()
    const response = await browser.fetch("/auth/webauthn-options/passkey?action=register")
    const { options } = (await response.json()) as { readonly options: Parameters<typeof authenticator.create>[0] }
    const data = JSON.stringify(await authenticator.create(options))
    its.clock.advance({ minutes: 2 })
    await post(browser, "/auth/callback/passkey", { action: "register", data })
    expect(its.store.rows().authenticators).toEqual([])
  })

  test("a passkey that a thief of the session adds proves nothing, until the user makes it their second step", async () => {
    const its = await site()
    const stolen = await signedIn(its, await enrolled(its))
    const added = await passkeyOf(stolen)
    its.clock.advance({ minutes: 16 })
    await stolen.get("/auth/mfa/verify")
    expect(askedOn(stolen)).toBeUndefined()
    await submit(stolen, "enroll", { method: "passkey" })
    expect(askedOn(stolen)).toBeUndefined()
    const browser = await held(its)
    expect(askedOn(browser)).toBeUndefined()
    expect(its.store.rows().authenticators).toHaveLength(1)
    expect(added.credentials).toHaveLength(1)
  })

  test("nor beside one that is the second step already", async () => {
    const its = await site()
    const { browser: stolen, authenticator } = await holder(its)
    await confirm(stolen, authenticator)
    const added = await passkeyOf(stolen)
    await stolen.get("/auth/mfa/verify")
    const { allowCredentials, ...open } = askedOn(stolen) ?? { challenge: "" }
    expect(allowCredentials).toEqual([expect.objectContaining({ id: authenticator.credentials[0]?.id })])
    const passkey = JSON.stringify(await added.get(open))
    expect((await post(stolen, "/auth/mfa/verify", { passkey })).status).toBe(401)
  })

  test("an answer works once, in any process", async () => {
    const its = await site()
    const { browser, authenticator } = await holder(its, "ada", uncounted)
    const other = await its.another({})
    await browser.get("/auth/mfa/verify")
    const passkey = await signedOn(browser, authenticator)
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const csrfToken = (await browser.csrf()) ?? ""
    const statuses = []
    for (const place of [its, other, its]) {
      const tab = await place.browse()
      const body = new URLSearchParams({ csrfToken, passkey })
      const response = await tab.fetch("/auth/mfa/verify", { method: "POST", body, headers: { cookie } })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 401, 401])
    // The challenge is accepted a little longer than ten minutes.
    its.clock.advance({ minutes: 10, seconds: 5 })
    expect((await post(browser, "/auth/mfa/verify", { passkey })).status).toBe(401)
  })

  test("of five uses of one answer at once, one signs in", async () => {
    const its = await site()
    const { authenticator } = await holder(its, "ada", uncounted)
    const browser = await held(its)
    const passkey = await signedOn(browser, authenticator)
    const csrfToken = (await browser.csrf()) ?? ""
    const tabs = Array.from({ length: 5 }, () => browser.fresh())
    for (const tab of tabs) for (const cookie of browser.cookies) tab.jar.put(cookie)
    const send = async (tab: Browser) =>
      tab.fetch("/auth/factor", { method: "POST", body: new URLSearchParams({ csrfToken, passkey }) })
    await Promise.all(tabs.map(send))
    const sessions = await Promise.all(tabs.map(async (tab) => tab.session()))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
  })

  test("an answer is too old after ten minutes", async () => {
    const its = await site()
    const { browser, authenticator } = await holder(its)
    await browser.get("/auth/mfa/verify")
    const passkey = await signedOn(browser, authenticator)
    its.clock.advance({ minutes: 11 })
    expect((await post(browser, "/auth/mfa/verify", { passkey })).status).toBe(401)
  })

  test("a copy of the authenticator is noticed by its counter", async () => {
    const its = await site()
    const { authenticator } = await holder(its)
    const copy = authenticator.clone()
    await usePasskey(await held(its), authenticator)
    const counter = its.store.rows().authenticators[0]?.counter
    const browser = await held(its)
    await usePasskey(browser, copy)
    expect(await browser.session()).toBeNull()
    expect(its.store.rows().authenticators[0]?.counter).toBe(counter)
  })

  test.each([
    "wrongType",
    "wrongChallenge",
    "wrongOrigin",
    "crossOrigin",
    "wrongRpIdHash",
    "noUserPresence",
    "sameCounter",
    "backupEligibilityFlipped",
    "badSignature",
    "otherUserHandle",
  ] as const)("an answer with the fault %s is refused", async (fault) => {
    const its = await site()
    const { authenticator } = await holder(its)
    const browser = await held(its)
    authenticator.inject(authenticatorFaults[fault])
    await usePasskey(browser, authenticator)
    expect(browser.response.status).toBe(401)
    expect(await browser.session()).toBeNull()
  })

  test.each(["{}", "null", "[]", "x", '{"id":"AA","response":{"clientDataJSON":"%%"}}'])(
    "%s is no answer",
    async (passkey) => {
      const its = await site()
      await holder(its)
      const browser = await held(its)
      expect((await post(browser, "/auth/factor", { passkey })).status).toBe(401)
      expect(await browser.session()).toBeNull()
    },
  )

  test("passkeys and codes have one counter", async () => {
    const its = await site()
    const { authenticator, recovery } = await holder(its)
    const browser = await held(its)
    const right = await signedOn(browser, authenticator)
    for (const fields of [{ passkey: "{}" }, { code: "000000" }, { passkey: "x" }, { code: "1" }, { passkey: "[]" }])
      await post(browser, "/auth/factor", fields)
    for (const fields of [{ passkey: right }, { code: recovery[0] ?? "" }]) await post(browser, "/auth/factor", fields)
    expect(await browser.session()).toBeNull()
  })

  test("what was signed to confirm doesn't add a passkey, nor the other way round", async () => {
    const its = await site()
    const { browser, authenticator } = await holder(its)
    await confirm(browser, authenticator)
    const second = await passkeyOf(browser)
    await browser.get("/auth/mfa/verify")
    const confirming = await signedOn(browser, authenticator)
    await usePasskey(browser, authenticator)
    await submit(browser, "enroll", { method: "passkey" })
    const adding = await signedOn(browser, second)
    expect((await post(browser, "/auth/mfa/confirm", { passkey: confirming })).status).toBe(400)
    expect((await post(browser, "/auth/mfa/verify", { passkey: adding })).status).toBe(401)
  })

  test("a forged form can't make the passkey of an attacker the second step", async () => {
    const its = await site()
    const attacker = await newUser(its, "mallory")
    const authenticator = await passkeyOf(attacker)
    await submit(attacker, "enroll", { method: "passkey" })
    const passkey = await signedOn(attacker, authenticator)
    const victim = await newUser(its)
    await victim.post("/auth/mfa/confirm", { passkey }, { from: "https://evil.test/" }).catch(() => undefined)
    await post(victim, "/auth/mfa/confirm", { passkey })
    expect(await its.server.isEnrolled(its.idOf("ada"))).toBe(false)
  })

  test("a passkey that is the second step can't be removed as a passkey", async () => {
    const its = await site()
    const { id, browser } = await holder(its)
    const [row] = its.store.rows().authenticators
    const remove = { action: "remove-passkey", id: row?.credentialID ?? "" }
    const json = await browser.fetch("/auth/account", {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ ...remove, csrfToken: (await browser.csrf()) ?? "" }),
    })
    expect(await json.json()).toMatchObject({ error: { code: "PasskeyInUse" } })
    await browser.post("/auth/account", { ...remove, csrfToken: (await browser.csrf()) ?? "" })
    expect(browser.text).toContain("This passkey is your second step. Stop using it for that first, then remove it.")
    expect(its.store.rows().authenticators).toHaveLength(1)
    expect(await its.server.isEnrolled(id)).toBe(true)
    expect(isHeld(await held(its))).toBe(true)
  })

  test("a thief of the session doesn't end it as the second step, and the user removes it in two steps", async () => {
    const its = await site()
    const { id, browser, authenticator } = await holder(its)
    const [row] = its.store.rows().authenticators
    const credential = row?.credentialID ?? ""
    await submit(browser, "remove", { method: "passkey", id: credential })
    expect(browser.text).toContain("Confirm that it&#39;s you")
    expect(await its.server.methods(id)).toEqual(["passkey"])
    await usePasskey(browser, authenticator)
    await submit(browser, "remove", { method: "passkey", id: credential })
    expect(await its.server.methods(id)).toEqual([])
    await browser.post("/auth/account", {
      action: "remove-passkey",
      id: credential,
      csrfToken: (await browser.csrf()) ?? "",
    })
    expect(its.store.rows().authenticators).toEqual([])
  })

  test("without the row of a passkey, its user isn't let in with the password alone", async () => {
    const its = await site()
    const { authenticator, recovery } = await holder(its)
    const [row] = its.store.rows().authenticators
    await its.store.deleteAuthenticator?.(row?.credentialID ?? "")
    const browser = await held(its)
    expect(isHeld(browser)).toBe(true)
    expect(askedOn(browser)).toBeUndefined()
    expect(authenticator.credentials).toHaveLength(1)
    await browser.submitForm("auth/factor", { code: recovery[0] ?? "" })
    expect(await browser.session()).not.toBeNull()
  })

  test("the choice of a passkey ends the trust in devices, and needs the second step that there is", async () => {
    const its = await site()
    const person = await enrolled(its)
    const device = await signedIn(its, person, { trust: "yes" })
    const authenticator = await passkeyOf(device)
    await submit(device, "enroll", { method: "passkey" })
    expect(device.text).toContain("Confirm that it&#39;s you")
    await device.submitForm("mfa/verify", { code: person.app.code(its.clock.now()) })
    await choose(device, authenticator)
    await device.signOut()
    its.clock.advance({ minutes: 1 })
    await held(its, "ada", device)
    expect(isHeld(device)).toBe(true)
    await answer(its, { ...person, browser: device }, device)
    expect(await device.session()).not.toBeNull()
  })
})
