import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import { type ConformanceCase, promise } from "./case.js"
import { holds, isNull, lists, oneWins, refuses } from "./check.js"
import { anAccount, anAuthenticator, aUser, unique } from "./fixtures.js"

const part = "webauthn"

export const authenticators: readonly ConformanceCase[] = [
  promise(
    { id: "authenticators.account", name: "an account is found by both its keys, with its tokens", part },
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      holds("getAccount finds the account", await adapter.getAccount(providerAccountId, provider), account)
      isNull("getAccount with another provider gives", await adapter.getAccount(providerAccountId, "other"))
      isNull("getAccount with another id gives", await adapter.getAccount(unique(), provider))
    },
  ),
  promise(
    { id: "authenticators.create", name: "a passkey is returned and found with every field", part },
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      for (const fields of [{}, { credentialBackedUp: false, credentialDeviceType: "singleDevice", counter: 7 }]) {
        const passkey = anAuthenticator(user.id, fields)
        holds("createAuthenticator returns what is stored", await adapter.createAuthenticator(passkey), passkey)
        holds("getAuthenticator finds a passkey", await adapter.getAuthenticator(passkey.credentialID), passkey)
      }
      isNull("getAuthenticator of an unknown credentialID gives", await adapter.getAuthenticator(btoa(unique())))
    },
  ),
  promise(
    { id: "authenticators.case", name: "credential ids that differ in case are different passkeys", part },
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const passkey = anAuthenticator(user.id, { credentialID: `a${btoa(unique())}` })
      await adapter.createAuthenticator(passkey)
      const shouted = passkey.credentialID.toUpperCase()
      isNull("getAuthenticator compares exactly: the id in capitals gives", await adapter.getAuthenticator(shouted))
    },
  ),
  promise(
    { id: "authenticators.list", name: "a user's passkeys are listed, and nobody else's", part },
    ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    async (adapter, around) => {
      const [user, other] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      lists("listAuthenticatorsByUserId without passkeys", await adapter.listAuthenticatorsByUserId(user.id), "id", [])
      const passkeys = [anAuthenticator(user.id), anAuthenticator(user.id)]
      for (const passkey of [...passkeys, anAuthenticator(other.id)]) await adapter.createAuthenticator(passkey)
      const listed = await adapter.listAuthenticatorsByUserId(user.id)
      const ids = passkeys.map((passkey) => passkey.credentialID)
      lists("listAuthenticatorsByUserId gives just that user's", listed, "credentialID", ids)
    },
  ),
  promise(
    { id: "authenticators.counter", name: "a counter is raised, and that of an unknown passkey is refused", part },
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const passkey = await adapter.createAuthenticator(anAuthenticator(user.id))
      const expected = { ...passkey, counter: 1_000_000 }
      const raised = await adapter.updateAuthenticatorCounter(passkey.credentialID, expected.counter)
      holds("updateAuthenticatorCounter returns the passkey", raised, expected)
      holds("The raised counter is stored", await adapter.getAuthenticator(passkey.credentialID), expected)
      await refuses("updateAuthenticatorCounter refuses an unknown credentialID", () =>
        adapter.updateAuthenticatorCounter(btoa(unique()), 1),
      )
    },
  ),
  promise(
    { id: "authenticators.race", name: "of parallel registrations of one passkey exactly one wins", part },
    ["createUser", "createAuthenticator"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const passkey = anAuthenticator(user.id)
      const attempts = Array.from({ length: 5 }, () => () => adapter.createAuthenticator(passkey))
      const isOurs = (created: AdapterAuthenticator) => created.credentialID === passkey.credentialID
      await oneWins("createAuthenticator keeps a passkey unique", attempts, isOurs)
    },
  ),
  promise(
    { id: "authenticators.delete", name: "a deleted user leaves no passkey behind", part },
    ["createUser", "deleteUser", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const passkeys = [anAuthenticator(user.id), anAuthenticator(user.id)]
      for (const passkey of passkeys) await adapter.createAuthenticator(passkey)
      await adapter.deleteUser(user.id)
      for (const { credentialID } of passkeys) {
        isNull("getAuthenticator of a deleted user's passkey gives", await adapter.getAuthenticator(credentialID))
      }
      const left = await adapter.listAuthenticatorsByUserId(user.id)
      lists("listAuthenticatorsByUserId of a deleted user", left, "credentialID", [])
    },
  ),
]
