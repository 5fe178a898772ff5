import { defineModule } from "@latchkey/core/module"
import { describe, expect, test } from "vitest"
import { askedOn, choose, confirm, holder, usePasskey } from "./passkeys.js"
import { answer, enrolled, held, isHeld, newUser, passkeyOf, signedIn, siteOf, submit } from "./site.js"

describe("passkeys as the second step", () => {
  test("are turned on with a use, which the user gets an email and recovery codes for", async () => {
    const site = await siteOf()
    const browser = await newUser(site)
    await browser.get("/auth/account")
    expect(browser.text).not.toContain("Use a passkey as the second step")
    const authenticator = await passkeyOf(browser)
    expect(isHeld(await held(site))).toBe(false)
    expect(await choose(browser, authenticator)).toHaveLength(10)
    expect(await site.server.methods(site.idOf("ada"))).toEqual(["passkey"])
    expect(site.letters.at(-1)).toMatchObject({ to: "ada@users.test", text: expect.stringContaining("was added") })
    expect(site.events.at(-1)).toMatchObject({ name: "mfa.enrolled", data: { method: "passkey" } })
    await browser.get("/auth/account")
    expect(browser.text).toContain("Each sign-in asks for a second step: passkey.")
    expect(browser.text).not.toContain("Use a passkey as the second step")
  })

  test("answer after a password, and each use is stored", async () => {
    const site = await siteOf()
    const { authenticator } = await holder(site)
    const counter = () => site.store.rows().authenticators[0]?.counter
    const before = counter() ?? 0
    site.clock.advance({ minutes: 1 })
    const browser = await held(site)
    expect(await browser.session()).toBeNull()
    await usePasskey(browser, authenticator)
    expect(browser.location).toBe("https://app.test/auth/account")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@users.test" } })
    expect(counter()).toBe(before + 1)
    expect(site.store.rows().authenticators[0]?.details?.lastUsedAt).toEqual(new Date(site.clock.now()))
  })

  test("answer after an email link and after a sign-in at a provider", async () => {
    const site = await siteOf()
    const { authenticator } = await holder(site)
    const atProvider = await site.browse()
    await atProvider.signInWith(site.op, { as: "ada" })
    const withLink = await site.browse()
    await withLink.signIn("email", { email: "ada@users.test" })
    await withLink.get(site.links.at(-1)?.url ?? "")
    for (const browser of [atProvider, withLink]) {
      expect(isHeld(browser)).toBe(true)
      await usePasskey(browser, authenticator)
      expect(await browser.session()).not.toBeNull()
    }
  })

  test("answer beside the other methods, which work without JavaScript", async () => {
    const site = await siteOf()
    const person = await enrolled(site)
    const tab = await signedIn(site, person)
    const authenticator = await passkeyOf(tab)
    site.clock.advance({ minutes: 1 })
    await tab.get("/auth/mfa/verify")
    await tab.submitForm("mfa/verify", { code: person.app.code(site.clock.now()) })
    expect(await choose(tab, authenticator)).toEqual([])
    expect(await site.server.methods(person.id)).toEqual(["app", "passkey"])
    site.clock.advance({ minutes: 1 })
    const withApp = await held(site)
    expect(withApp.text).toContain("Enter the code that your authenticator app shows")
    await answer(site, person, withApp)
    expect(await withApp.session()).not.toBeNull()
    const withPasskey = await held(site)
    await usePasskey(withPasskey, authenticator)
    expect(await withPasskey.session()).not.toBeNull()
  })

  test("give way to a recovery code", async () => {
    const site = await siteOf()
    const { recovery } = await holder(site)
    const browser = await held(site)
    expect(browser.text).toContain("Use your passkey, or enter one of your recovery codes.")
    await browser.submitForm("auth/factor", { code: recovery[0] ?? "" })
    expect(await browser.session()).not.toBeNull()
  })

  test("let the user trust the device", async () => {
    const site = await siteOf()
    const { authenticator } = await holder(site)
    const browser = await held(site)
    await usePasskey(browser, authenticator, { trust: "yes" })
    await browser.signOut()
    await held(site, "ada", browser)
    expect(await browser.session()).not.toBeNull()
  })

  test.each([
    [true, "hwk"],
    [false, "pop"],
  ])("say whether they verified their user: %s", async (userVerification, method) => {
    const seen: (readonly string[])[] = []
    const after = (_: unknown, { amr }: { readonly amr: readonly string[] }) => void seen.push(amr)
    const witness = defineModule({ id: "witness", load: async () => ({ after }) })
    const site = await siteOf({}, { modules: [witness] })
    const tab = await newUser(site)
    const authenticator = await passkeyOf(tab, { userVerification })
    await choose(tab, authenticator)
    await usePasskey(await held(site), authenticator)
    expect(seen.at(-1)).toEqual(["pwd", method, "mfa"])
  })

  test("are asked for as a step of JSON", async () => {
    const site = await siteOf()
    const { authenticator } = await holder(site)
    const browser = await held(site)
    const json = { accept: "application/json" }
    const read = await browser.fetch("/auth/factor", { headers: json })
    const step = await read.json()
    expect(step).toMatchObject({
      status: "factor",
      passkey: {
        label: "Use a passkey",
        options: { rpId: "app.test", userVerification: "preferred" },
        messages: { NotAllowedError: expect.any(String) },
      },
    })
    const passkey = JSON.stringify(await authenticator.get(step.passkey.options, { origin: browser.origin }))
    const body = new URLSearchParams({ csrfToken: step.csrfToken, passkey })
    const response = await browser.fetch(step.url, { method: "POST", headers: json, body })
    expect(await response.json()).toMatchObject({ status: "signed-in" })
    expect(await browser.session()).not.toBeNull()
  })

  test("of two that the user chose, either answers", async () => {
    const site = await siteOf()
    const { browser, authenticator } = await holder(site)
    await confirm(browser, authenticator)
    const second = await passkeyOf(browser)
    await confirm(browser, authenticator)
    await choose(browser, second)
    for (const each of [authenticator, second]) {
      const tab = await held(site)
      expect(askedOn(tab)?.allowCredentials).toHaveLength(2)
      await usePasskey(tab, each)
      expect(await tab.session()).not.toBeNull()
    }
  })

  test("aren't offered to a user who signed in with one that didn't verify them", async () => {
    const site = await siteOf()
    const tab = await newUser(site)
    const authenticator = await passkeyOf(tab, { userVerification: false })
    const recovery = await choose(tab, authenticator)
    const browser = await site.browse()
    await browser.signInWithPasskey(authenticator)
    expect(isHeld(browser)).toBe(true)
    expect(askedOn(browser)).toBeUndefined()
    await browser.submitForm("auth/factor", { code: recovery[0] ?? "" })
    expect(await browser.session()).not.toBeNull()
  })

  test("confirm on the page that asks again", async () => {
    const site = await siteOf()
    const { browser, authenticator } = await holder(site)
    await browser.get("/auth/mfa/verify?to=/money")
    await usePasskey(browser, authenticator)
    expect(browser.location).toBe("https://app.test/money")
    await submit(browser, "regenerate")
    expect(browser.text).toContain("Keep these recovery codes in a safe place")
  })

  test("are removed with a recent proof, and an email says so", async () => {
    const site = await siteOf()
    const { id, authenticator } = await holder(site)
    const browser = await held(site)
    await usePasskey(browser, authenticator)
    const [row] = site.store.rows().authenticators
    await submit(browser, "remove", { method: "passkey", id: row?.credentialID ?? "" })
    expect(await site.server.isEnrolled(id)).toBe(false)
    expect(site.letters.at(-1)?.text).toContain("was removed")
    expect(isHeld(await held(site))).toBe(false)
    // It still signs in.
    const tab = await site.browse()
    await tab.signInWithPasskey(authenticator)
    expect(await tab.session()).not.toBeNull()
  })

  test("are no method with `passkeys: false`, and the recovery codes of who had them stay", async () => {
    const site = await siteOf()
    const { authenticator, recovery } = await holder(site)
    const without = await site.another({ passkeys: false })
    const browser = await held(without)
    expect(askedOn(browser)).toBeUndefined()
    await browser.submitForm("auth/factor", { code: recovery[0] ?? "" })
    expect(await browser.session()).not.toBeNull()
    const other = await held(site)
    await usePasskey(other, authenticator)
    expect(await other.session()).not.toBeNull()
  })
})
