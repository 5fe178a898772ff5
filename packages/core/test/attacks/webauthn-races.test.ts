import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { type AuthenticatorFault, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { ClassAdapter } from "../../../adapter-kit/test/class-adapter.js"
import { attack } from "../../../../tests/attack.js"
import { emailOf, hasSession } from "../flows/signin/setup.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import { ada, adaWithPasskey, assertRefused, grace, passkeySite, signUpAllowed } from "./webauthn-setup.js"

/** No unique indexes: rows with the same key are all stored, and lookups return the first. */
class WithoutIndexes extends ClassAdapter {
  override assertFree(): void {}

  override async createAuthenticator(row: Parameters<ClassAdapter["createAuthenticator"]>[0]) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    this.authenticators.push(structuredClone(row))
    return row
  }

  override async linkAccount(account: Parameters<ClassAdapter["linkAccount"]>[0]): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    this.accounts.push(structuredClone(account))
  }
}

/** An attacker chooses the ID of the new credential. */
function withId(id: Uint8Array): AuthenticatorFault {
  return {
    authenticatorData: (data) => ({ ...data, ...(data.credential && { credential: { ...data.credential, id } }) }),
  }
}

const id = new Uint8Array(32).fill(7)

attack("ADV-BA-17", "of two parallel registrations of one credential ID, one succeeds", async (mode) => {
  for (const withIndexes of [true, false]) {
    const store = new WithoutIndexes()
    const its = await passkeySite(mode, {
      security: signUpAllowed,
      rest: { session: { strategy: "database" } },
      ...(!withIndexes && { adapter: () => store }),
    })
    const visitors = []
    for (const email of ["a@example.test", "b@example.test", "c@example.test"]) {
      const browser = its.browser.fresh()
      const issued = await issue(browser, { action: "register", email })
      visitors.push([browser, await answer(createAuthenticator({ faults: withId(id) }), issued)] as const)
    }
    await Promise.all(visitors.map(([browser, response]) => send(browser, "register", response)))
    const rows = withIndexes ? its.store.rows() : store
    expect(visitors.filter(([browser]) => hasSession(browser))).toHaveLength(1)
    expect([rows.authenticators.length, rows.accounts.length, rows.users.length]).toEqual([1, 1, 1])
  }
})

attack(
  "WAN-07",
  "a registered credential ID can't be registered again, by the same user, another or a visitor",
  async (mode) => {
    for (const withIndexes of [true, false]) {
      const store = new WithoutIndexes()
      const its = await passkeySite(mode, { security: signUpAllowed, ...(!withIndexes && { adapter: () => store }) })
      const authenticator = await adaWithPasskey(its, createAuthenticator({ faults: withId(id) }))
      for (const as of ["ada", "grace", undefined]) {
        const browser = its.browser.fresh()
        if (as !== undefined) await browser.signInWith(its.op, { as })
        const { options, action } = await issue(browser, { action: "register", email: "eve@example.test" })
        if (action !== "register") throw new Error("The options aren't for a registration.")
        const evil = createAuthenticator({ faults: withId(id) })
        await send(browser, "register", await evil.create({ ...options, excludeCredentials: [] }))
        expect(new URL(browser.location).searchParams.get("error")).toBe("WebAuthnVerificationError")
        const thief = its.browser.fresh()
        await thief.signInWithPasskey(evil)
        assertRefused(thief)
      }
      const browser = its.browser.fresh()
      await browser.signInWithPasskey(authenticator)
      expect(await emailOf(browser)).toBe(ada)
      expect((withIndexes ? its.store.rows() : store).authenticators).toHaveLength(1)
    }
  },
)

/** A database whose default collation ignores case. */
function ignoringCase(store: MemoryAdapter): Adapter {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return {
    ...store,
    getAuthenticator: async (key) =>
      store.rows().authenticators.find(({ credentialID }) => same(credentialID, key)) ?? null,
    getAccount: async (key, provider) =>
      store.rows().accounts.find((row) => row.provider === provider && same(row.providerAccountId, key)) ?? null,
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const row = store
        .rows()
        .accounts.find((account) => account.provider === provider && same(account.providerAccountId, providerAccountId))
      return row === undefined ? null : store.getUser(row.userId)
    },
  }
}

attack("WAN-07", "a credential ID that differs only in case isn't the passkey of the other user", async (mode) => {
  const its = await passkeySite(mode, { security: signUpAllowed, adapter: ignoringCase })
  const bytes = Uint8Array.from(Buffer.from("abcdefghijklmnopqrstuvwx", "base64url"))
  const other = Uint8Array.from(Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWX", "base64url"))
  await adaWithPasskey(its, createAuthenticator({ faults: withId(bytes) }))
  const evil = createAuthenticator({ faults: withId(other) })
  const browser = its.browser.fresh()
  await browser.signInWith(its.op, { as: "grace" })
  await browser.registerPasskey(evil)
  const thief = its.browser.fresh()
  await thief.signInWithPasskey(evil).catch(() => undefined)
  expect(await emailOf(thief)).not.toBe(ada)
  expect(await emailOf(browser)).toBe(grace)
})

attack("ADV-BA-17", "of parallel sign-ups with one email, one succeeds, also without unique indexes", async (mode) => {
  const store = new WithoutIndexes()
  const its = await passkeySite(mode, {
    security: signUpAllowed,
    adapter: () => store,
    rest: { session: { strategy: "database" } },
  })
  const visitors = []
  for (let count = 0; count < 5; count += 1) {
    const browser = its.browser.fresh()
    const issued = await issue(browser, { action: "register", email: ada })
    visitors.push([browser, await answer(createAuthenticator(), issued)] as const)
  }
  await Promise.all(visitors.map(([browser, response]) => send(browser, "register", response)))
  expect(visitors.filter(([browser]) => hasSession(browser))).toHaveLength(1)
  expect([store.users.length, store.accounts.length, store.authenticators.length]).toEqual([1, 1, 1])
})
