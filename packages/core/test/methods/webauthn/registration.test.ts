import { authenticatorFaults, createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, mailbox, signInByMail, strategies } from "../../flows/signin/setup.js"
import { ada, answer, base64Of, grace, issue, methodsOf, onlyPasskey, send, signUp, site } from "./setup.js"

describe.each(strategies)("a registration with a passkey, strategy %s", (strategy) => {
  const session = { strategy }

  test("creates a user, an account and a passkey, and signs in", async () => {
    const its = await site({ config: { session } })
    await signUp(its)
    const [user] = its.store.rows().users
    const [credential] = its.authenticator.credentials
    const id = base64Of(credential?.id ?? "")
    expect(its.browser.location).toBe("https://app.test/")
    expect(await its.browser.session()).toMatchObject({ user: { email: ada } })
    expect(its.store.rows().users).toEqual([expect.objectContaining({ email: ada, emailVerified: null })])
    expect(its.store.rows().accounts).toEqual([
      expect.objectContaining({ provider: "passkey", providerAccountId: id, type: "webauthn", userId: user?.id }),
    ])
    expect(onlyPasskey(its.store)).toEqual({
      credentialID: id,
      userId: user?.id,
      providerAccountId: id,
      credentialPublicKey: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      counter: 1,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: "internal,hybrid",
      details: { createdAt: new Date(its.clock.now()), lastUsedAt: new Date(its.clock.now()) },
    })
    expect(its.store.rows().sessions).toHaveLength(strategy === "database" ? 1 : 0)
  })

  test("while signed in adds the passkey to that user", async () => {
    const mail = mailbox()
    const its = await site({ config: { session } })
    const { browser, authenticator, store } = await site({
      store: its.store,
      config: { session, providers: [its.provider, mail.provider] },
    })
    await signInByMail(browser, mail, ada)
    await browser.registerPasskey(authenticator)
    expect(browser.location).toBe("https://app.test/")
    expect(await emailOf(browser)).toBe(ada)
    expect(store.rows().users).toHaveLength(1)
    expect(store.rows().authenticators).toEqual([
      expect.objectContaining({ userId: store.rows().users[0]?.id, providerAccountId: expect.any(String) }),
    ])
    const other = browser.fresh()
    await other.signInWithPasskey(authenticator)
    expect(await emailOf(other)).toBe(ada)
  })

  test("can add several passkeys to one user, and each signs in", async () => {
    const its = await site({ config: { session } })
    await signUp(its)
    const second = createAuthenticator({ algorithm: "EdDSA" })
    const third = createAuthenticator({ algorithm: "RS256" })
    await its.browser.registerPasskey(second)
    await its.browser.registerPasskey(third)
    expect(its.store.rows().users).toHaveLength(1)
    expect(its.store.rows().authenticators).toHaveLength(3)
    for (const authenticator of [its.authenticator, second, third]) {
      const browser = its.browser.fresh()
      await browser.signInWithPasskey(authenticator)
      expect(await emailOf(browser)).toBe(ada)
    }
  })

  test("of the same authenticator twice is prevented by the browser", async () => {
    const its = await site({ config: { session } })
    await signUp(its)
    await expect(its.browser.registerPasskey(its.authenticator)).rejects.toMatchObject({ name: "InvalidStateError" })
  })
})

describe("a registration with a passkey", () => {
  test.each([
    { algorithm: "ES256" },
    { algorithm: "EdDSA" },
    { algorithm: "RS256" },
    { attestation: "self" },
    { attestation: "certificate" },
    { counter: false, backup: "done" },
    { backup: "eligible" },
  ] as const)("works with an authenticator of %o", async (options) => {
    const its = await site({ authenticator: createAuthenticator(options) })
    await signUp(its)
    await its.browser.signOut()
    await its.browser.signInWithPasskey(its.authenticator)
    expect(await emailOf(its.browser)).toBe(ada)
  })

  test.each([
    [undefined, "singleDevice", false],
    ["eligible", "multiDevice", false],
    ["done", "multiDevice", true],
  ] as const)("with backup %s stores %s, %s", async (backup, credentialDeviceType, credentialBackedUp) => {
    const its = await site({ authenticator: createAuthenticator(backup && { backup }) })
    await signUp(its)
    expect(onlyPasskey(its.store)).toMatchObject({ credentialDeviceType, credentialBackedUp })
  })

  test.each([
    [["usb"], "usb"],
    [["internal", "hybrid"], "internal,hybrid"],
    [["ble", "nfc", "smart-card", "usb"], "ble,nfc,smart-card,usb"],
  ] as const)("stores the transports %o, and options list them again", async (transports, stored) => {
    const its = await site({ authenticator: createAuthenticator({ transports }) })
    await signUp(its)
    expect(onlyPasskey(its.store).transports).toBe(stored)
    expect(await issue(its.browser, { action: "register" })).toMatchObject({
      options: { excludeCredentials: [{ transports }] },
    })
  })

  test("of a browser that reports no transports works", async () => {
    const its = await site()
    const issued = await issue(its.browser, { action: "register", email: ada })
    const response = await answer(its.authenticator, issued)
    await send(its.browser, "register", { ...response, response: { ...response.response, transports: undefined } })
    expect(await emailOf(its.browser)).toBe(ada)
    expect(onlyPasskey(its.store).transports ?? null).toBeNull()
    const again = await issue(its.browser, { action: "register" })
    expect(again).toMatchObject({ options: { excludeCredentials: [{ id: response.id }] } })
  })

  test("keeps the email in lower case, without spaces around it", async () => {
    const its = await site()
    await signUp(its, " Ada@Example.test ")
    expect(its.store.rows().users.map(({ email }) => email)).toEqual([ada])
  })

  test("can't sign up with the email of another user", async () => {
    const its = await site()
    await signUp(its)
    const other = its.browser.fresh()
    await other.registerPasskey(createAuthenticator(), { fields: { email: ada } })
    expect(hasSession(other)).toBe(false)
    expect(errorAt(other)).toBe("/auth/signin AccountNotLinked")
    expect(its.store.rows()).toMatchObject({
      users: { length: 1 },
      accounts: { length: 1 },
      authenticators: { length: 1 },
    })
  })

  test("returns to the callback URL of the form", async () => {
    const { browser, authenticator } = await site()
    await browser.registerPasskey(authenticator, { fields: { email: ada, callbackUrl: "/welcome?a=1" } })
    expect(browser.location).toBe("https://app.test/welcome?a=1")
  })

  test("responds with the URL in JSON if the request asks for it", async () => {
    const { browser, authenticator } = await site()
    const data = JSON.stringify(await answer(authenticator, await issue(browser, { action: "register", email: ada })))
    const body = new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", action: "register", data })
    const headers = { "x-auth-return-redirect": "1" }
    const response = await browser.fetch("/auth/callback/passkey", { method: "POST", body, headers })
    expect([response.status, await response.json()]).toEqual([200, { url: "https://app.test" }])
    expect(await emailOf(browser)).toBe(ada)
  })

  test("that failed doesn't stop the next attempt", async () => {
    const its = await site()
    const remove = its.authenticator.inject(authenticatorFaults.wrongOrigin)
    await signUp(its)
    expect(errorAt(its.browser)).toBe("/auth/error WebAuthnVerificationError")
    remove()
    await signUp(its)
    expect(await emailOf(its.browser)).toBe(ada)
    expect(its.store.rows().authenticators).toHaveLength(1)
  })

  test("accepts JSON bodies", async () => {
    const { browser, authenticator } = await site()
    const data = JSON.stringify(await answer(authenticator, await issue(browser, { action: "register", email: ada })))
    const body = JSON.stringify({ csrfToken: await browser.csrf(), action: "register", data })
    await browser.fetch("/auth/callback/passkey", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    })
    expect(await emailOf(browser)).toBe(ada)
  })

  test("needs no session methods of the adapter under strategy jwt", async () => {
    const { browser, authenticator, calls } = await site({ config: { session: { strategy: "jwt" } } })
    await browser.registerPasskey(authenticator, { fields: { email: grace } })
    expect(methodsOf(calls).filter((method) => /session/i.test(method))).toEqual([])
  })
})

describe("user verification", () => {
  const incapable = createAuthenticator({ userVerification: false })

  test.each(["passkey", "webauthn"] as const)("is required by default (%s)", async (kind) => {
    const its = await site({ kind })
    for (const action of ["register", "authenticate"]) {
      const { options } = await issue(its.browser, { action, email: ada }, kind)
      const asked = "authenticatorSelection" in options ? options.authenticatorSelection : options
      expect(asked).toMatchObject({ userVerification: "required" })
    }
    its.authenticator.inject(authenticatorFaults.noUserVerification)
    await signUp(its)
    expect(errorAt(its.browser)).toBe("/auth/error WebAuthnVerificationError")
    expect(its.store.rows().users).toEqual([])
  })

  test.each(["preferred", "discouraged"] as const)(
    "isn't required if both kinds of options say %s",
    async (userVerification) => {
      const its = await site({
        kind: "webauthn",
        authenticator: incapable.clone(),
        provider: {
          authenticationOptions: { userVerification },
          registrationOptions: { authenticatorSelection: { residentKey: "preferred", userVerification } },
        },
      })
      await signUp(its)
      expect(await emailOf(its.browser)).toBe(ada)
      const other = its.browser.fresh()
      await other.signInWithPasskey(its.authenticator, { provider: "webauthn", fields: { email: ada } })
      expect(await emailOf(other)).toBe(ada)
    },
  )

  test("isn't required, and the options say preferred, if verification is configured without it", async () => {
    const its = await site({
      kind: "webauthn",
      authenticator: incapable.clone(),
      provider: {
        verifyAuthenticationOptions: { requireUserVerification: false },
        verifyRegistrationOptions: { requireUserVerification: false },
      },
    })
    const registration = await issue(its.browser, { action: "register", email: ada }, "webauthn")
    expect(registration.options).toMatchObject({ authenticatorSelection: { userVerification: "preferred" } })
    const authentication = await issue(its.browser, { action: "authenticate" }, "webauthn")
    expect(authentication.options).toMatchObject({ userVerification: "preferred" })
    await signUp(its)
    expect(await emailOf(its.browser)).toBe(ada)
  })

  test("is asked for if verification requires it, whatever the options say", async () => {
    const its = await site({
      kind: "webauthn",
      provider: {
        registrationOptions: { authenticatorSelection: { userVerification: "discouraged" } },
        verifyRegistrationOptions: { requireUserVerification: true },
      },
    })
    const { options } = await issue(its.browser, { action: "register", email: ada }, "webauthn")
    expect(options).toMatchObject({ authenticatorSelection: { userVerification: "required" } })
    its.authenticator.inject(authenticatorFaults.noUserVerification)
    await signUp(its)
    expect(errorAt(its.browser)).toBe("/auth/error WebAuthnVerificationError")
    expect(its.store.rows().users).toEqual([])
  })
})
