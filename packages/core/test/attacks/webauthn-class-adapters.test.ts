import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { type AuthenticatorFault, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession } from "../flows/signin/setup.js"
import { base64Of, issue, send } from "../methods/webauthn/setup.js"
import { ada, adaWithPasskey, assertRefused, grace, passkeySite, rowsOf, signUpAllowed } from "./webauthn-setup.js"

/** As a database that ignores case, and has no unique index. */
function withoutCase(store: MemoryAdapter): Adapter {
  const rows: Parameters<MemoryAdapter["createAuthenticator"]>[0][] = []
  const matches = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  return {
    ...store,
    transaction: async (work) => work(withoutTransaction(withoutCase(store))),
    createAuthenticator: async (row) => {
      rows.unshift(row)
      return await store.createAuthenticator(row)
    },
    getAuthenticator: async (id) => rows.find((row) => matches(row.credentialID, id)) ?? null,
    getAccount: async (id, provider) =>
      store.rows().accounts.find((row) => row.provider === provider && matches(row.providerAccountId, id)) ?? null,
  }
}

function withoutTransaction(given: Adapter): Adapter {
  const { transaction: _, ...adapter } = given
  return adapter
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** Chooses the id of a new credential. */
function withId(base64url: string): AuthenticatorFault {
  const id = Uint8Array.from(Buffer.from(base64url, "base64url"))
  return {
    authenticatorData: (data) => (data.credential ? { ...data, credential: { ...data.credential, id } } : data),
  }
}

attack(
  "WAN-07",
  "an id that differs in case doesn't hide or take over a passkey, whatever the database",
  async (mode) => {
    const its = await passkeySite(mode, {
      security: signUpAllowed,
      adapter: (store) => withoutTransaction(withoutCase(store)),
    })
    const hers = await adaWithPasskey(its)
    const [{ id } = { id: "" }] = hers.credentials
    const before = rowsOf(its.store)
    const browser = its.browser.fresh()
    await browser.registerPasskey(createAuthenticator({ faults: withId(swapCase(id)) }), { fields: { email: grace } })
    assertRefused(browser)
    expect(rowsOf(its.store)).toEqual(before)
    await browser.signInWithPasskey(hers)
    expect(await emailOf(browser)).toBe(ada)
  },
)

attack(
  "WAN-07",
  "the account of another provider with the same id isn't taken for the one of a passkey",
  async (mode) => {
    const its = await passkeySite(mode, {
      adapter: (store) => ({
        ...store,
        getAccount: async (id) => store.rows().accounts.find((row) => row.providerAccountId === id) ?? null,
      }),
    })
    const hers = await adaWithPasskey(its)
    const [{ id } = { id: "" }] = hers.credentials
    const [user] = its.store.rows().users
    const key = { provider: "passkey", providerAccountId: base64Of(id) }
    await its.store.unlinkAccount(key)
    await its.store.linkAccount({ ...key, provider: "op", type: "oidc", userId: user?.id ?? "" })
    const browser = its.browser.fresh()
    await browser.signInWithPasskey(hers)
    assertRefused(browser)
  },
)

attack("WAN-04", "a wrong answer takes as many queries for a listed passkey as for a made-up one", async (mode) => {
  const called: string[] = []
  const its = await passkeySite(mode, {
    kind: "webauthn",
    adapter: (store) => ({
      ...store,
      getAuthenticator: (id) => (called.push("getAuthenticator"), store.getAuthenticator(id)),
      getAccount: (id, provider) => (called.push("getAccount"), store.getAccount(id, provider)),
      getUser: (id) => (called.push("getUser"), store.getUser(id)),
    }),
  })
  const provider = "webauthn"
  await adaWithPasskey(its)
  const queries = []
  for (const email of [ada, "unknown@example.test"]) {
    const browser = its.browser.fresh()
    const { options } = await issue(browser, { action: "authenticate", email }, provider)
    const [listed] = (options["allowCredentials"] ?? []) as { id: string }[]
    // An attacker signs with a key of their own.
    const own = createAuthenticator({ faults: withId(listed?.id ?? "") })
    await own.create({
      challenge: "AAAA",
      rp: { id: "app.test", name: "app" },
      user: { id: "AAAA", name: "x", displayName: "x" },
      pubKeyCredParams: [{ alg: -7 }],
    })
    const signed = await own.get({
      challenge: options.challenge,
      rpId: "app.test",
      allowCredentials: listed && [listed],
    })
    called.length = 0
    await send(browser, "authenticate", signed, { provider })
    assertRefused(browser)
    queries.push([...called])
  }
  expect(queries[1]).toEqual(queries[0])
  expect(queries[0]).toEqual(["getAuthenticator", "getAccount"])
})

for (const strategy of ["jwt", "database"] as const) {
  attack(
    "WAN-11",
    `a database that fails at any moment leaves nothing that blocks a user (${strategy})`,
    async (mode) => {
      const writes = ["createUser", "linkAccount", "createAuthenticator"] as const
      for (const signedIn of [true, false]) {
        for (const method of writes) {
          for (const isStored of [true, false]) {
            let isDown = false
            const its = await passkeySite(mode, {
              security: signUpAllowed,
              rest: { session: { strategy } },
              adapter: (store) => failing(withoutTransaction(store), method, isStored, () => isDown),
            })
            const { browser } = its
            if (signedIn) await browser.signInWith(its.op, { as: "ada" })
            const authenticator = createAuthenticator()
            const fields = { email: ada }
            isDown = true
            await browser.registerPasskey(authenticator, { fields })
            isDown = false
            const what = [signedIn, method, isStored]
            const { users, accounts, authenticators } = its.store.rows()
            const passkeys = accounts.filter(({ provider }) => provider === "passkey")
            expect([...what, passkeys.length]).toEqual([...what, authenticators.length])
            const isDone = errorAt(browser) === "/ null"
            expect([...what, users.length]).toEqual([...what, signedIn || isDone ? 1 : 0])
            expect([...what, hasSession(browser)]).toEqual([...what, signedIn || isDone])
            // The device still has the first passkey, so the options must not exclude it if it isn't stored.
            if (!isDone) await browser.registerPasskey(authenticator, { fields })
            const other = browser.fresh()
            await other.signInWithPasskey(authenticator)
            expect([...what, await emailOf(other)]).toEqual([...what, ada])
          }
        }
      }
    },
  )
}

/** @param isStored whether the database stores the row before it fails */
function failing(
  adapter: Adapter,
  method: "createUser" | "linkAccount" | "createAuthenticator",
  isStored: boolean,
  isDown: () => boolean,
): Adapter {
  const write = adapter[method] as (row: object) => Promise<unknown>
  const fail = async (row: object) => {
    if (!isDown()) return write(row)
    if (isStored) await write(row)
    throw new Error("The database is down.")
  }
  return { ...adapter, [method]: fail }
}
