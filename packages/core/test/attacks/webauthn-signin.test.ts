import { authenticatorFaults, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession, signInByMail } from "../flows/signin/setup.js"
import { answer, ask, issue, type Issued, onlyPasskey, send } from "../methods/webauthn/setup.js"
import { sessionCookie } from "../modes/setup.js"
import { strategies, thiefOf } from "./session-setup.js"
import { ada, adaWithPasskey, assertRefused, grace, passkeySite, rowsOf, signUpAllowed } from "./webauthn-setup.js"

attack("WAN-03", "a `signIn` callback that refuses or diverts leaves no session, user or passkey", async (mode) => {
  for (const strategy of strategies) {
    for (const [reply, shown] of [
      [false, "/auth/error AccessDenied"],
      ["/blocked", "/blocked null"],
      ["https://evil.test/", "/ null"],
    ] as const) {
      let asked = 0
      const signIn = ({ account }: { account?: { provider: string } | null }) => {
        if (account?.provider !== "passkey") return true
        asked += 1
        return asked === 1 || reply
      }
      const its = await passkeySite(mode, {
        rest: { session: { strategy }, callbacks: { signIn } },
        security: signUpAllowed,
      })
      const authenticator = await adaWithPasskey(its)
      const before = rowsOf(its.store)
      const browser = its.browser.fresh()
      await browser.signInWithPasskey(authenticator)
      expect([errorAt(browser), hasSession(browser)]).toEqual([shown, false])
      const visitor = its.browser.fresh()
      await visitor.registerPasskey(createAuthenticator(), { fields: { email: grace } })
      expect([errorAt(visitor), hasSession(visitor)]).toEqual([shown, false])
      expect([asked, its.store.rows().users.length]).toEqual([3, 1])
      expect(its.store.rows().authenticators).toHaveLength(1)
      expect(rowsOf(its.store)).toMatchObject({ users: before.users, accounts: before.accounts })
    }
  }
})

attack("WAN-07", "with options for one user, the passkey of another user is refused", async (mode) => {
  const its = await passkeySite(mode, { kind: "webauthn" })
  const provider = "webauthn"
  await adaWithPasskey(its)
  const hers = await adaWithPasskey(its, createAuthenticator({ residentKeys: false }), "grace")
  const [{ id } = { id: "" }] = hers.credentials
  for (const email of [ada, "unknown@example.test"]) {
    const browser = its.browser.fresh()
    const { options } = await issue(browser, { action: "authenticate", email }, provider)
    const signed = await hers.get({ ...options, allowCredentials: [{ id }] })
    await send(browser, "authenticate", signed, { provider })
    assertRefused(browser)
  }
  const browser = its.browser.fresh()
  await browser.signInWithPasskey(hers, { provider, fields: { email: grace } })
  expect(await emailOf(browser)).toBe(grace)
})

attack("WAN-07", "a user handle that isn't the one of the passkey is refused", async (mode) => {
  const its = await passkeySite(mode)
  const his = await adaWithPasskey(its)
  const hers = await adaWithPasskey(its, createAuthenticator(), "grace")
  const userHandle = his.credentials[0]?.userId ?? ""
  const handles = [userHandle, its.store.rows().users[0]?.id ?? "", "", "AAAA"]
  for (const handle of handles) {
    const remove = hers.inject({
      authentication: (signed) => ({ ...signed, response: { ...signed.response, userHandle: handle } }),
    })
    const browser = its.browser.fresh()
    await browser.signInWithPasskey(hers)
    remove()
    if (handle === "") continue
    assertRefused(browser)
  }
})

attack("WAN-07", "a user who is signed in can't sign in with the passkey of another user", async (mode) => {
  const its = await passkeySite(mode)
  await adaWithPasskey(its)
  const hers = await adaWithPasskey(its, createAuthenticator(), "grace")
  const { browser } = its
  await browser.signInWith(its.op, { as: "ada" })
  const { options } = await issue(browser, { action: "authenticate" })
  await send(browser, "authenticate", await hers.get({ ...options, allowCredentials: [] }))
  expect(new URL(browser.location).searchParams.get("error")).toMatch(/AccountNotLinked|WebAuthnVerificationError/)
  expect(await emailOf(browser)).toBe(ada)
})

attack(
  "WAN-09",
  "a counter that doesn't grow is refused, and so is a passkey whose backup eligibility changes",
  async (mode) => {
    for (const backup of ["ineligible", "eligible", "done"] as const) {
      const its = await passkeySite(mode)
      const authenticator = await adaWithPasskey(its, createAuthenticator({ backup }))
      for (let count = 0; count < 4; count += 1) await its.browser.fresh().signInWithPasskey(authenticator)
      expect(onlyPasskey(its.store).counter).toBe(5)
      const clone = authenticator.clone()
      await its.browser.fresh().signInWithPasskey(authenticator)
      const thief = its.browser.fresh()
      await thief.signInWithPasskey(clone)
      assertRefused(thief)
      for (const fault of ["zeroCounter", "backupEligibilityFlipped", "backedUpWithoutEligibility"] as const) {
        const faulty = authenticator.clone({ backup, faults: authenticatorFaults[fault] })
        const browser = its.browser.fresh()
        await browser.signInWithPasskey(faulty)
        assertRefused(browser)
      }
      expect(onlyPasskey(its.store).counter).toBe(6)
      await thief.signInWithPasskey(authenticator)
      expect(await emailOf(thief)).toBe(ada)
    }
  },
)

attack("WAN-09", "the state of the backup is stored, and isn't a reason to refuse", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its, createAuthenticator({ backup: "eligible" }))
  for (const [backup, stored] of [
    ["done", true],
    ["eligible", false],
  ] as const) {
    const browser = its.browser.fresh()
    const copy = authenticator.clone({ backup })
    await browser.signInWithPasskey(copy)
    expect([await emailOf(browser), onlyPasskey(its.store).credentialBackedUp]).toEqual([ada, stored])
    await its.browser.fresh().signInWithPasskey(copy)
    await authenticator.get({ challenge: "AAAA", rpId: "app.test" })
    await authenticator.get({ challenge: "AAAA", rpId: "app.test" })
  }
})

attack("WAN-09", "parallel sign-ins never store a lower counter", async (mode) => {
  const its = await passkeySite(mode)
  const authenticator = await adaWithPasskey(its)
  const attempts = []
  for (let count = 0; count < 5; count += 1) {
    const browser = its.browser.fresh()
    attempts.push([browser, await answer(authenticator, await issue(browser, { action: "authenticate" }))] as const)
  }
  await Promise.all(attempts.toReversed().map(([browser, signed]) => send(browser, "authenticate", signed)))
  expect(onlyPasskey(its.store).counter).toBe(6)
})

attack(
  "WAN-08",
  "a passkey doesn't verify the email that a visitor types, and doesn't take an existing one",
  async (mode) => {
    const its = await passkeySite(mode, { security: signUpAllowed })
    const attacker = its.browser.fresh()
    await attacker.registerPasskey(createAuthenticator(), { fields: { email: grace } })
    expect(its.store.rows().users).toMatchObject([{ email: grace, emailVerified: null }])
    const other = its.browser.fresh()
    await other.signInWith(its.op, { as: "ada" })
    const before = rowsOf(its.store)
    for (const email of [ada, "ADA@example.test", " ada@example.test", "ａda@example.test"]) {
      const visitor = its.browser.fresh()
      await visitor.registerPasskey(createAuthenticator(), { fields: { email } })
      expect([email, await emailOf(visitor)]).not.toEqual([email, ada])
    }
    expect(its.store.rows().users.filter((user) => user.email === ada)).toHaveLength(1)
    expect(rowsOf(its.store)).toMatchObject({ accounts: before.accounts })
  },
)

attack("WAN-08", "of repeated emails in one request, none is checked in place of another", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed })
  await its.browser.fresh().signInWith(its.op, { as: "ada" })
  for (const query of [
    `email=${grace}&email=${ada}`,
    `email=${ada}&email=${grace}`,
    `email[]=${ada}&email=${grace}`,
    `email=${grace}%00${ada}`,
    `email=${grace}%0D%0A${ada}`,
  ]) {
    const browser = its.browser.fresh()
    const response = await browser.fetch(`/auth/webauthn-options/passkey?action=register&${query}`)
    if (response.status === 200) {
      const issued = (await response.json()) as Issued
      await send(browser, "register", await answer(createAuthenticator(), issued), { fields: { email: ada } })
    }
    expect([query, await emailOf(browser)]).not.toEqual([query, ada])
  }
  expect(its.store.rows().users.filter(({ email }) => email.includes(ada) && email !== ada)).toEqual([])
})

strictAttack(
  "WAN-08",
  "sign-up with a passkey",
  "a visitor can't register a passkey for an email at all",
  async (mode) => {
    const its = await passkeySite(mode)
    for (const email of [ada, grace]) {
      expect(await ask(its.browser, { action: "register", email })).toEqual({
        status: 400,
        body: { error: "Invalid request" },
      })
    }
    // Neither with the challenge of a sign-in.
    const issued = await issue(its.browser, { email: grace })
    const created = await createAuthenticator().create({
      challenge: issued.options.challenge,
      rp: { id: "app.test", name: "app" },
      user: { id: "AAAA", name: grace, displayName: grace },
      pubKeyCredParams: [{ alg: -7 }],
    })
    await send(its.browser, "register", created, { fields: { email: grace } })
    assertRefused(its.browser)
    expect(its.store.rows().users).toEqual([])
  },
)

for (const strategy of strategies) {
  strictAttack(
    "ADV-BA-13",
    "first proof of a mailbox",
    `verifying an email removes the passkeys that were registered for it before (${strategy})`,
    async (mode) => {
      const its = await passkeySite(mode, { rest: { session: { strategy } }, security: signUpAllowed })
      const authenticator = createAuthenticator()
      const mallory = its.browser.fresh()
      await mallory.registerPasskey(authenticator, { fields: { email: ada } })
      expect(await emailOf(mallory)).toBe(ada)
      const pending = mallory.clone()
      const issued = await issue(pending, { action: "register" })
      await signInByMail(its.browser, its.mail, ada)
      expect(await mallory.session()).toBeNull()
      await send(pending, "register", await answer(createAuthenticator(), issued))
      expect(hasSession(pending)).toBe(false)
      await mallory.signInWithPasskey(authenticator)
      expect(hasSession(mallory)).toBe(false)
      expect(its.store.rows().accounts).toEqual([])
      expect(await emailOf(its.browser)).toBe(ada)
    },
  )

  strictAttack(
    "ADV-BA-11",
    "first proof of a mailbox",
    `a provider doesn't link to a user who signed up with a passkey and a foreign email (${strategy})`,
    async (mode) => {
      const its = await passkeySite(mode, { rest: { session: { strategy } }, security: signUpAllowed })
      const dangerous = its.op.provider({ allowDangerousEmailAccountLinking: true })
      const linking = await passkeySite(mode, {
        store: its.store,
        rest: { session: { strategy }, providers: [its.provider, dangerous] },
      })
      await its.browser.registerPasskey(createAuthenticator(), { fields: { email: ada } })
      await linking.browser.signInWith(its.op, { as: "ada" })
      expect(errorAt(linking.browser)).toMatch(/^\/auth\/signin OAuth(?:AccountNotLinked|CallbackError)$/)
      expect(hasSession(linking.browser)).toBe(false)
      expect(its.store.rows().accounts).toHaveLength(1)
    },
  )

  attack(
    "SESS-02",
    `every sign-in with a passkey creates a new token and ends the old session (${strategy})`,
    async (mode) => {
      const its = await passkeySite(mode, { rest: { session: { strategy } } })
      const authenticator = await adaWithPasskey(its)
      await its.store.deleteSessions(its.store.rows().users[0]?.id ?? "")
      const { browser } = its
      await browser.signInWithPasskey(authenticator)
      const [old, thief] = [sessionCookie(browser), thiefOf(browser)]
      await browser.signInWithPasskey(authenticator)
      expect(await emailOf(browser)).toBe(ada)
      expect(sessionCookie(browser)).not.toBe(old)
      const endsOld = strategy === "database" || mode === "strict"
      expect(its.store.rows().sessions).toHaveLength(endsOld ? 1 : 0)
      if (endsOld) expect(await thief.session()).toBeNull()
      await browser.registerPasskey(createAuthenticator())
      expect(await emailOf(browser)).toBe(ada)
    },
  )

  strictAttack("SESS-08", "linking", `a passkey is added only after a recent sign-in (${strategy})`, async (mode) => {
    const its = await passkeySite(mode, { rest: { session: { strategy, updateAge: 0 } } })
    const { browser } = its
    await browser.signInWith(its.op, { as: "ada" })
    const early = await issue(browser, { action: "register" })
    its.clock.advance({ minutes: 14 })
    await browser.session()
    const late = await issue(browser, { action: "register" })
    its.clock.advance({ minutes: 1, seconds: 1 })
    for (const issued of [early, late]) {
      await send(browser, "register", await answer(createAuthenticator(), issued))
      expect([await emailOf(browser), its.store.rows().authenticators]).toEqual([ada, []])
      expect(errorAt(browser)).toMatch(/^\/auth\/error (?:AccessDenied|WebAuthnVerificationError)$/)
    }
    await browser.signInWith(its.op, { as: "ada" })
    await browser.registerPasskey(createAuthenticator())
    expect(its.store.rows().authenticators).toHaveLength(1)
  })

  attack("ADV-BA-12", `removing a user ends their passkeys and pending registrations (${strategy})`, async (mode) => {
    const its = await passkeySite(mode, { rest: { session: { strategy } }, security: signUpAllowed })
    const authenticator = await adaWithPasskey(its)
    const { browser } = its
    await browser.signInWith(its.op, { as: "ada" })
    const register = await issue(browser, { action: "register" })
    const visitor = browser.fresh()
    const authenticate = await issue(visitor, { action: "authenticate" })
    await its.store.deleteUser(its.store.rows().users[0]?.id ?? "")
    await send(browser, "register", await answer(createAuthenticator(), register))
    await send(visitor, "authenticate", await answer(authenticator, authenticate))
    assertRefused(visitor)
    expect(await emailOf(browser)).not.toBe(mode === "strict" || strategy === "database" ? ada : null)
    expect(its.store.rows()).toMatchObject({ users: [], accounts: [], sessions: [], authenticators: [] })
  })
}
