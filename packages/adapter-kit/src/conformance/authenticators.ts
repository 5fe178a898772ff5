import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import { type ConformanceCase, defineCase } from "./case.js"
import { expectFields, expectNull, expectList, expectOneWinner, expectRejection } from "./check.js"
import { anAccount, anAuthenticator, aUser, unique } from "./fixtures.js"

const part = "webauthn"

export const authenticators: readonly ConformanceCase[] = [
  defineCase(
    { id: "authenticators.account", name: "an account is found by its provider and id, with its tokens", part },
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      expectFields("getAccount returns the account", await adapter.getAccount(providerAccountId, provider), account)
      expectNull("getAccount with another provider", await adapter.getAccount(providerAccountId, "other"))
      expectNull("getAccount with another id", await adapter.getAccount(unique(), provider))
    },
  ),
  defineCase(
    { id: "authenticators.create", name: "a passkey is returned and found with all fields", part },
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      for (const fields of [{}, { credentialBackedUp: false, credentialDeviceType: "singleDevice", counter: 7 }]) {
        const passkey = anAuthenticator(user.id, fields)
        expectFields("createAuthenticator returns what is stored", await adapter.createAuthenticator(passkey), passkey)
        expectFields(
          "getAuthenticator returns the passkey",
          await adapter.getAuthenticator(passkey.credentialID),
          passkey,
        )
      }
      expectNull("getAuthenticator of an unknown credentialID", await adapter.getAuthenticator(btoa(unique())))
    },
  ),
  defineCase(
    { id: "authenticators.case", name: "credential ids that differ only in case are different passkeys", part },
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const passkey = anAuthenticator(user.id, { credentialID: `a${btoa(unique())}` })
      await adapter.createAuthenticator(passkey)
      const uppercase = passkey.credentialID.toUpperCase()
      expectNull("getAuthenticator compares ids exactly, so in uppercase it", await adapter.getAuthenticator(uppercase))
    },
  ),
  defineCase(
    { id: "authenticators.list", name: "only the passkeys of the user are listed", part },
    ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    async (adapter, options) => {
      const [user, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      expectList(
        "listAuthenticatorsByUserId without passkeys",
        await adapter.listAuthenticatorsByUserId(user.id),
        "id",
        [],
      )
      const passkeys = [anAuthenticator(user.id), anAuthenticator(user.id)]
      for (const passkey of [...passkeys, anAuthenticator(other.id)]) await adapter.createAuthenticator(passkey)
      const listed = await adapter.listAuthenticatorsByUserId(user.id)
      const ids = passkeys.map((passkey) => passkey.credentialID)
      expectList("listAuthenticatorsByUserId returns only the user's passkeys", listed, "credentialID", ids)
    },
  ),
  defineCase(
    { id: "authenticators.counter", name: "a counter is updated, and an unknown passkey is rejected", part },
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const passkey = await adapter.createAuthenticator(anAuthenticator(user.id))
      const expected = { ...passkey, counter: 1_000_000 }
      const updated = await adapter.updateAuthenticatorCounter(passkey.credentialID, expected.counter)
      expectFields("updateAuthenticatorCounter returns the passkey", updated, expected)
      expectFields(
        "updateAuthenticatorCounter stores the counter",
        await adapter.getAuthenticator(passkey.credentialID),
        expected,
      )
      await expectRejection("updateAuthenticatorCounter rejects an unknown credentialID", () =>
        adapter.updateAuthenticatorCounter(btoa(unique()), 1),
      )
    },
  ),
  defineCase(
    { id: "authenticators.race", name: "of 20 parallel registrations of one passkey exactly one succeeds", part },
    ["createUser", "createAuthenticator"],
    async (adapter, options) => {
      const users = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const passkey = anAuthenticator("")
      const attempts = Array.from({ length: 20 }, (_, index) => async () => {
        const userId = users[index % 2]?.id ?? ""
        return adapter.createAuthenticator({ ...passkey, userId })
      })
      const isOurs = (created: AdapterAuthenticator) => created.credentialID === passkey.credentialID
      await expectOneWinner("createAuthenticator keeps a passkey unique", attempts, isOurs)
    },
  ),
  defineCase(
    { id: "authenticators.delete", name: "deleting a user deletes their passkeys", part },
    ["createUser", "deleteUser", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const passkeys = [anAuthenticator(user.id), anAuthenticator(user.id)]
      for (const passkey of passkeys) await adapter.createAuthenticator(passkey)
      await adapter.deleteUser(user.id)
      for (const { credentialID } of passkeys) {
        expectNull("getAuthenticator of a deleted user's passkey", await adapter.getAuthenticator(credentialID))
      }
      const left = await adapter.listAuthenticatorsByUserId(user.id)
      expectList("listAuthenticatorsByUserId of a deleted user", left, "credentialID", [])
    },
  ),
]
