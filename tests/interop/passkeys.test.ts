import type { Adapter } from "@latchkey/core/adapters"
import { type Authenticator, createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { begin, finish, libraries, type LibraryInUse, type ProviderName, swapPasskeys } from "./passkeys.js"
import { stores } from "./stores.js"

const email = "ada@example.test"
const signedIn = { user: { email } }

async function rowsOf(adapter: Adapter, address = email) {
  const user = await adapter.getUserByEmail?.(address)
  const authenticators = (await adapter.listAuthenticatorsByUserId?.(user?.id ?? "")) ?? []
  return { user, authenticators }
}

/** Version 9 of `@simplewebauthn/server` rejects one of 128 ES256 signatures. */
const algorithm = "EdDSA"

const directions = [
  ["@auth/core", "Latchkey", "theirs", "ours"],
  ["Latchkey", "@auth/core", "ours", "theirs"],
] as const

const providers = [
  ["passkey", () => createAuthenticator({ algorithm })],
  ["webauthn", () => createAuthenticator({ algorithm, residentKeys: false })],
] as const satisfies readonly (readonly [ProviderName, () => Authenticator])[]

describe.each(stores.filter(({ hasPasskeys }) => hasPasskeys))("passkeys in $name", ({ open }) => {
  describe.each(["jwt", "database"] as const)("with strategy %s", (strategy) => {
    describe.each(providers)("of the provider %s", (provider, create) => {
      test.each(directions)("a user who signed up at %s signs in at %s", async (_before, _after, before, after) => {
        const adapter = await open()
        const applications = await swapPasskeys({ adapter, strategy })
        const authenticator = create()
        await applications[before].registerPasskey(authenticator, { provider, fields: { email } })
        expect(await applications[before].session()).toMatchObject(signedIn)
        await applications[before].signOut()
        await applications[after].signInWithPasskey(authenticator, { provider, fields: { email } })
        expect(await applications[after].session()).toMatchObject(signedIn)
        const { authenticators } = await rowsOf(adapter)
        expect(authenticators.map(({ counter }) => counter)).toEqual(
          authenticator.credentials.map((own) => own.counter),
        )
      })

      test.each(directions)("a sign-up begun at %s ends at %s", async (_before, _after, before, after) => {
        const adapter = await open()
        const applications = await swapPasskeys({ adapter, strategy })
        const begun = await begin(applications[before], "register", provider, { email })
        await finish(applications[after], begun, provider, create())
        expect(await applications[after].session()).toMatchObject(signedIn)
        expect((await rowsOf(adapter)).authenticators).toHaveLength(1)
      })

      test.each(directions)("a sign-in begun at %s ends at %s", async (_before, _after, before, after) => {
        const adapter = await open()
        const applications = await swapPasskeys({ adapter, strategy })
        const authenticator = create()
        await applications[before].registerPasskey(authenticator, { provider, fields: { email } })
        await applications[before].signOut()
        const begun = await begin(applications[before], "authenticate", provider, { email })
        await finish(applications[after], begun, provider, authenticator)
        expect(await applications[after].session()).toMatchObject(signedIn)
      })
    })

    test.each(directions)(
      "a second passkey that a user began to add at %s is added at %s, and signs in there",
      async (_before, _after, before, after) => {
        const adapter = await open()
        const applications = await swapPasskeys({ adapter, strategy })
        await applications[before].registerPasskey(createAuthenticator({ algorithm }), { fields: { email } })
        const begun = await begin(applications[before], "register", "passkey")
        const second = createAuthenticator({ algorithm })
        await finish(applications[after], begun, "passkey", second)
        expect((await rowsOf(adapter)).authenticators).toHaveLength(2)
        const elsewhere = applications[after].fresh()
        await elsewhere.signInWithPasskey(second)
        expect(await elsewhere.session()).toMatchObject(signedIn)
      },
    )
  })

  test("both libraries write the same columns in the same format", async () => {
    const adapter = await open()
    const { theirs, ours } = await swapPasskeys({ adapter })
    await theirs.registerPasskey(createAuthenticator({ algorithm }), { fields: { email: "grace@example.test" } })
    await ours.fresh().registerPasskey(createAuthenticator({ algorithm }), { fields: { email } })
    expect(await formatOf(adapter, email)).toEqual(await formatOf(adapter, "grace@example.test"))
  })
})

/** What is stored for a user with one passkey, with the format in place of random values. */
async function formatOf(adapter: Adapter, address: string): Promise<object> {
  const { user, authenticators } = await rowsOf(adapter, address)
  const [authenticator] = authenticators
  const id = authenticator?.credentialID ?? ""
  const { session_state: _, ...account } = { ...(await adapter.getAccount?.(id, "passkey")) }
  const text = JSON.stringify({ account, authenticator, emailVerified: user?.emailVerified ?? null })
  return JSON.parse(
    text
      .replaceAll(id, "<credential id>")
      .replaceAll(user?.id ?? "", "<user id>")
      .replace(/"pA[A-Za-z0-9+/]+={0,2}"/, '"<public key>"'),
  )
}

const [sqlite] = stores.filter(({ name }) => name === "@auth/drizzle-adapter over SQLite")

async function opened(): Promise<Adapter> {
  if (sqlite === undefined) throw new Error("The adapter for SQLite isn't there")
  return sqlite.open()
}

describe.each(Object.keys(libraries) as LibraryInUse[])("with %s of @simplewebauthn/server", (library) => {
  test("credential ids and keys are stored in padded base64", async () => {
    const adapter = await opened()
    const { ours } = await swapPasskeys({ adapter, library })
    await ours.registerPasskey(createAuthenticator({ algorithm }), { fields: { email } })
    const [authenticator] = (await rowsOf(adapter)).authenticators
    expect(authenticator?.credentialID).toMatch(/^[A-Za-z0-9+/]{43}=$/)
    expect(authenticator?.credentialPublicKey).toMatch(/^pA[A-Za-z0-9+/]{54}$/)
  })

  test.each(providers)("%s signs up, signs in, and signs in at @auth/core", async (provider, create) => {
    const { theirs, ours } = await swapPasskeys({ adapter: await opened(), library })
    const authenticator = create()
    await ours.registerPasskey(authenticator, { provider, fields: { email } })
    for (const browser of [ours.fresh(), theirs.fresh()]) {
      await browser.signInWithPasskey(authenticator, { provider, fields: { email } })
      expect(await browser.session()).toMatchObject(signedIn)
    }
  })

  test("a cloned authenticator with an older counter is refused", async () => {
    const { ours } = await swapPasskeys({ adapter: await opened(), library })
    const authenticator = createAuthenticator({ algorithm })
    await ours.registerPasskey(authenticator, { fields: { email } })
    const clone = authenticator.clone()
    for (let use = 0; use < 2; use++) await ours.fresh().signInWithPasskey(authenticator)
    const elsewhere = ours.fresh()
    await elsewhere.signInWithPasskey(clone)
    expect(elsewhere.location).toContain("error=WebAuthnVerificationError")
    expect(await elsewhere.session()).toBeNull()
  })

  test("a response that an attacker changed is refused", async () => {
    const { ours } = await swapPasskeys({ adapter: await opened(), library })
    const authenticator = createAuthenticator({ algorithm })
    await ours.registerPasskey(authenticator, { fields: { email } })
    authenticator.inject({ signature: (signature) => signature.map((byte, index) => (index === 20 ? byte ^ 1 : byte)) })
    const elsewhere = ours.fresh()
    await elsewhere.signInWithPasskey(authenticator)
    expect(elsewhere.location).toContain("error=WebAuthnVerificationError")
    expect(await elsewhere.session()).toBeNull()
  })
})
