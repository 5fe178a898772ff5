import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { authenticatorFaults, createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, strategies } from "../../flows/signin/setup.js"
import { ada, answer, base64Of, issue, methodsOf, onlyPasskey, send, signUp, site } from "./setup.js"

describe.each(strategies)("a sign-in with a passkey, strategy %s", (strategy) => {
  const session = { strategy }

  test("works without an email if the passkey is discoverable", async () => {
    const its = await site({ config: { session } })
    await signUp(its)
    const other = its.browser.fresh()
    await other.signInWithPasskey(its.authenticator)
    expect(other.location).toBe("https://app.test/")
    expect(await emailOf(other)).toBe(ada)
    expect(its.store.rows().sessions).toHaveLength(strategy === "database" ? 2 : 0)
    expect(its.store.rows()).toMatchObject({ users: { length: 1 }, accounts: { length: 1 } })
  })

  test("works with the email if the passkey isn't discoverable", async () => {
    const authenticator = createAuthenticator({ residentKeys: false, transports: ["usb"] })
    const its = await site({ kind: "webauthn", config: { session }, authenticator })
    await signUp(its)
    const other = its.browser.fresh()
    await other.signInWithPasskey(authenticator, { provider: "webauthn", fields: { email: ada } })
    expect(await emailOf(other)).toBe(ada)
    const without = its.browser.fresh()
    await expect(without.signInWithPasskey(authenticator, { provider: "webauthn" })).rejects.toMatchObject({
      name: "NotAllowedError",
    })
  })

  test("stores the new counter", async () => {
    const its = await site({ config: { session } })
    await signUp(its)
    for (const counter of [2, 3, 4]) {
      await its.browser.fresh().signInWithPasskey(its.authenticator)
      expect(onlyPasskey(its.store).counter).toBe(counter)
    }
  })

  test("of the user who is signed in keeps the session's user", async () => {
    const its = await site({ config: { session } })
    await signUp(its)
    await its.browser.signInWithPasskey(its.authenticator)
    expect(await emailOf(its.browser)).toBe(ada)
    expect(its.store.rows().sessions).toHaveLength(strategy === "database" ? 1 : 0)
  })
})

describe("a sign-in with a passkey", () => {
  test("stores whether the passkey is backed up", async () => {
    const its = await site({ authenticator: createAuthenticator({ backup: "eligible" }) })
    await signUp(its)
    expect(onlyPasskey(its.store).credentialBackedUp).toBe(false)
    const synced = its.authenticator.clone({ backup: "done" })
    await its.browser.fresh().signInWithPasskey(synced)
    expect(onlyPasskey(its.store)).toMatchObject({ credentialBackedUp: true, credentialDeviceType: "multiDevice" })
    await its.browser.fresh().signInWithPasskey(synced.clone({ backup: "eligible" }))
    expect(onlyPasskey(its.store).credentialBackedUp).toBe(false)
  })

  test("stores the counter with an adapter that only has the method of v5", async () => {
    const its = await site({
      around: (store) => {
        const { updateAuthenticator: _, ...adapter } = store
        return adapter
      },
    })
    await signUp(its)
    await its.browser.fresh().signInWithPasskey(its.authenticator)
    expect(onlyPasskey(its.store).counter).toBe(2)
    expect(methodsOf(its.calls)).toContain("updateAuthenticatorCounter")
  })

  test("works with authenticators that don't count", async () => {
    const its = await site({ authenticator: createAuthenticator({ counter: false }) })
    await signUp(its)
    for (let count = 0; count < 3; count += 1) {
      const other = its.browser.fresh()
      await other.signInWithPasskey(its.authenticator)
      expect(await emailOf(other)).toBe(ada)
    }
    expect(onlyPasskey(its.store).counter).toBe(0)
  })

  test("returns to the callback URL of the form, and not to another origin", async () => {
    const its = await site()
    await signUp(its)
    for (const [callbackUrl, location] of [
      ["/inbox", "https://app.test/inbox"],
      ["https://app.test/inbox", "https://app.test/inbox"],
      ["https://evil.test/", "https://app.test/"],
    ] as const) {
      const other = its.browser.fresh()
      await other.signInWithPasskey(its.authenticator, { fields: { callbackUrl } })
      expect(other.location).toBe(location)
    }
  })

  test("responds with the URL in JSON if the request asks for it", async () => {
    const its = await site()
    await signUp(its)
    for (const [fault, path] of [
      [{}, "https://app.test/inbox"],
      [authenticatorFaults.badSignature, "https://app.test/auth/error?error=WebAuthnVerificationError"],
    ] as const) {
      const other = its.browser.fresh()
      const remove = its.authenticator.inject(fault)
      const data = JSON.stringify(await answer(its.authenticator, await issue(other)))
      remove()
      const csrfToken = (await other.csrf()) ?? ""
      const response = await other.fetch("/auth/callback/passkey", {
        method: "POST",
        body: new URLSearchParams({ csrfToken, action: "authenticate", data, callbackUrl: "/inbox" }),
        headers: { "x-auth-return-redirect": "1" },
      })
      expect([response.status, await response.json()]).toEqual([200, { url: path }])
      expect(hasSession(other)).toBe(path.endsWith("inbox"))
    }
  })

  test("with an unknown passkey fails, and the page names the error", async () => {
    const its = await site()
    await signUp(its)
    const other = its.browser.fresh()
    const stranger = createAuthenticator()
    const { browser: elsewhere, provider } = await site()
    await signUp({ browser: elsewhere, authenticator: stranger, provider })
    await other.signInWithPasskey(stranger)
    expect(errorAt(other)).toBe("/auth/error WebAuthnVerificationError")
    expect(other.response.status).toBeGreaterThanOrEqual(400)
    expect(hasSession(other)).toBe(false)
  })

  test("of a user who was deleted fails, even if the database kept the passkey", async () => {
    const its = await site()
    await signUp(its)
    const { authenticators, accounts, users } = its.store.rows()
    const left = await site({
      authenticator: its.authenticator,
      around: (store) => ({
        ...store,
        getAuthenticator: async (id) => authenticators.find(({ credentialID }) => credentialID === id) ?? null,
        getAccount: async (id) => accounts.find(({ providerAccountId }) => providerAccountId === id) ?? null,
      }),
    })
    expect(users).toHaveLength(1)
    await left.browser.signInWithPasskey(its.authenticator)
    expect(hasSession(left.browser)).toBe(false)
    expect(errorAt(left.browser)).toBe("/auth/error WebAuthnVerificationError")
  })

  test("works with rows that v5 wrote", async () => {
    const its = await site()
    await signUp(its)
    const passkey = onlyPasskey(its.store)
    const [user] = its.store.rows().users
    if (user === undefined) throw new Error("There is no user.")
    // v5 stores no user handle, and null or nothing for unknown transports.
    for (const transports of [null, undefined, "internal", "usb,hybrid"]) {
      const store = memoryAdapter()
      await store.createUser(user)
      await store.linkAccount({
        userId: user.id,
        provider: "passkey",
        providerAccountId: passkey.credentialID,
        type: "webauthn",
      })
      const { transports: _, ...row } = passkey
      await store.createAuthenticator({ ...row, ...(transports !== undefined && { transports }) })
      const moved = await site({ store })
      await moved.browser.signInWithPasskey(its.authenticator)
      expect(await emailOf(moved.browser), String(transports)).toBe(ada)
      expect(onlyPasskey(store).credentialID).toBe(base64Of(its.authenticator.credentials[0]?.id ?? ""))
    }
  })

  test("with data that isn't an object fails without a look into the database", async () => {
    const its = await site()
    for (const data of ["", "{bad", "null", "[]", "1", '"text"', "{}", '{"id":1}', '{"id":""}']) {
      await issue(its.browser)
      await send(its.browser, "authenticate", data)
      expect(errorAt(its.browser), data).toBe("/auth/error WebAuthnVerificationError")
    }
    expect(methodsOf(its.calls)).not.toContain("getAuthenticator")
  })

  test("needs a known action", async () => {
    const its = await site()
    await signUp(its)
    const other = its.browser.fresh()
    for (const action of ["", "signin", "Authenticate"]) {
      await send(other, action, await answer(its.authenticator, await issue(other)))
      expect(hasSession(other)).toBe(false)
      expect(errorAt(other)).toBe("/auth/error WebAuthnVerificationError")
    }
  })

  test("can't be a GET request", async () => {
    const { browser } = await site()
    const response = await browser.get("/auth/callback/passkey?action=authenticate")
    expect([response.status >= 400 || browser.location.includes("/auth/error"), hasSession(browser)]).toEqual([
      true,
      false,
    ])
  })
})
