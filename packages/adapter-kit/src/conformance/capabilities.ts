import type { AdapterAccount, VerificationToken } from "@latchkey/core/adapters"
import { allCapabilities, type Capability, type ConformanceCase, defineCase, type Surroundings } from "./case.js"
import { fail, expectFields, expectNull, expectList, expectRejection } from "./check.js"
import { accountKey, anAccount, anAuthenticator, aUser, instant, tokenKey, unique } from "./fixtures.js"

type Member = Exclude<Capability, "extraFields" | "uniqueCode">

/** The capabilities that are members of the adapter. */
const optionalMembers = allCapabilities.filter(
  (capability): capability is Member => capability !== "extraFields" && capability !== "uniqueCode",
)

export const capabilities: readonly ConformanceCase[] = [
  defineCase(
    { id: "listAccounts", name: "only the accounts of the user are listed", part: "listAccounts" },
    ["createUser", "linkAccount", "listAccounts"],
    async (adapter, options) => {
      const [user, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      expectList("listAccounts without accounts", await adapter.listAccounts(user.id), "provider", [])
      const accounts = [anAccount(user.id), anAccount(user.id, { provider: "other" })]
      for (const account of [...accounts, anAccount(other.id)]) await adapter.linkAccount(account)
      const listed = await adapter.listAccounts(user.id)
      expectList(
        "listAccounts returns only the user's accounts",
        listed,
        "providerAccountId",
        accounts.map((row) => row.providerAccountId),
      )
      expectFields(
        "listAccounts returns accounts with all fields",
        listed.find((row) => row.provider === "other"),
        accounts[1] ?? {},
      )
    },
  ),
  defineCase(
    {
      id: "updateAccount",
      name: "an update replaces the tokens of an account, but not its owner",
      part: "updateAccount",
    },
    ["createUser", "linkAccount", "listAccounts", "updateAccount", "getUserByAccount"],
    async (adapter, options) => {
      const [user, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      const fresh = { ...account, access_token: "fresh", expires_at: 1_950_000_000 }
      await adapter.updateAccount({ ...fresh, userId: other.id })
      const listed = findAccount(await adapter.listAccounts(user.id), account)
      expectFields("updateAccount replaces tokens and keeps the owner", listed, fresh)
      await adapter.updateAccount({ ...fresh, provider: "other" })
      const unknown = await adapter.getUserByAccount({ ...accountKey(account), provider: "other" })
      expectNull("updateAccount doesn't link an account, so getUserByAccount", unknown)
    },
  ),
  defineCase(
    {
      id: "updateAuthenticator",
      name: "the counter and backup flag of one passkey are updated, and an unknown passkey is rejected",
      part: "updateAuthenticator",
    },
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticator"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const passkey = anAuthenticator(user.id, { credentialBackedUp: false })
      const other = anAuthenticator(user.id)
      for (const each of [passkey, other]) await adapter.createAuthenticator(each)
      for (const changes of [
        { counter: 1_000_000, credentialBackedUp: true },
        { counter: 1_000_001, credentialBackedUp: false },
      ]) {
        const updated = await adapter.updateAuthenticator(passkey.credentialID, changes)
        expectFields("updateAuthenticator returns the passkey", updated, { ...passkey, ...changes })
        const stored = await adapter.getAuthenticator(passkey.credentialID)
        expectFields("updateAuthenticator stores the changes", stored, { ...passkey, ...changes })
      }
      const untouched = await adapter.getAuthenticator(other.credentialID)
      expectFields("updateAuthenticator keeps the user's other passkeys", untouched, other)
      await expectRejection("updateAuthenticator rejects an unknown credentialID", () =>
        adapter.updateAuthenticator(btoa(unique()), { counter: 1, credentialBackedUp: true }),
      )
    },
  ),
  defineCase(
    {
      id: "getVerificationToken",
      name: "a token is read by exactly its identifier and token, and can still be used",
      part: "getVerificationToken",
    },
    ["createVerificationToken", "useVerificationToken", "getVerificationToken"],
    async (adapter, options) => {
      const token = aToken(`ada.${unique()}@example.com`, options)
      await adapter.createVerificationToken(token)
      const read = () => adapter.getVerificationToken(tokenKey(token))
      expectFields("getVerificationToken returns the token", await read(), token)
      expectFields("getVerificationToken returns it again", await read(), token)
      for (const other of [{ token: unique() }, { identifier: token.identifier.toUpperCase() }]) {
        const found = await adapter.getVerificationToken({ ...tokenKey(token), ...other })
        expectNull("getVerificationToken with another identifier or token", found)
      }
      expectFields("getVerificationToken keeps the token", await adapter.useVerificationToken(tokenKey(token)), token)
      expectNull("getVerificationToken of a used token", await read())
    },
  ),
  defineCase(
    {
      id: "deleteVerificationTokens",
      name: "only the tokens of the identifier are deleted",
      part: "deleteVerificationTokens",
    },
    ["createVerificationToken", "useVerificationToken", "deleteVerificationTokens"],
    async (adapter, options) => {
      const identifier = `ada.${unique()}@example.com`
      const deleted = [aToken(identifier, options), aToken(identifier, options)]
      const kept = aToken(identifier.toUpperCase(), options)
      for (const token of [...deleted, kept]) await adapter.createVerificationToken(token)
      await adapter.deleteVerificationTokens(identifier)
      for (const token of deleted) {
        expectNull(
          "deleteVerificationTokens deletes all tokens of the identifier, so useVerificationToken",
          await adapter.useVerificationToken(tokenKey(token)),
        )
      }
      expectFields(
        "deleteVerificationTokens keeps the tokens of other identifiers",
        await adapter.useVerificationToken(tokenKey(kept)),
        kept,
      )
    },
  ),
  defineCase(
    { id: "extraFields", name: "additional fields of profile() and account() are stored", part: "extraFields" },
    ["createUser", "getUser", "updateUser", "linkAccount", "listAccounts"],
    async (adapter, options) => {
      const extra = { role: "admin", tags: ["a", "b"], address: { city: "London" }, score: 1.5, active: false }
      const user = await adapter.createUser({ ...aUser(options), ...extra })
      expectFields("createUser returns fields without a column", user, extra)
      expectFields("getUser returns fields without a column", await adapter.getUser(user.id), extra)
      const change = { id: user.id, role: "owner" }
      expectFields("updateUser changes fields without a column", await adapter.updateUser(change), {
        ...extra,
        ...change,
      })
      expectFields("updateUser keeps the other fields", await adapter.getUser(user.id), { ...extra, ...change })
      const details = { refresh_token_expires_in: 86_400, authorization_details: [{ type: "payment", amount: 5 }] }
      const account = anAccount(user.id, details)
      await adapter.linkAccount(account)
      const listed = findAccount(await adapter.listAccounts(user.id), account)
      expectFields("linkAccount keeps fields without a column", listed, details)
    },
  ),
  defineCase(
    {
      id: "uniqueCode",
      name: "a taken email, account or passkey is rejected with the code LATCHKEY_UNIQUE",
      part: "uniqueCode",
    },
    ["createUser", "updateUser", "linkAccount"],
    async (adapter, options) => {
      const [user, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      const { email } = user
      const code = { code: "LATCHKEY_UNIQUE" }
      const clashes: [string, () => unknown][] = [
        ["createUser rejects a taken email", () => adapter.createUser(aUser(options, { email }))],
        ["updateUser rejects a taken email", () => adapter.updateUser({ id: other.id, email })],
        ["linkAccount rejects a linked account", () => adapter.linkAccount({ ...account, userId: other.id })],
      ]
      if (adapter.createAuthenticator) {
        const passkey = anAuthenticator(user.id)
        await adapter.createAuthenticator(passkey)
        const again = () => adapter.createAuthenticator?.({ ...passkey, userId: other.id })
        clashes.push(["createAuthenticator rejects a registered passkey", again])
      }
      for (const [requirement, call] of clashes)
        expectFields(requirement, await expectRejection(requirement, call), code)
    },
  ),
]

function findAccount(
  listed: readonly AdapterAccount[],
  { providerAccountId }: AdapterAccount,
): AdapterAccount | undefined {
  return listed.find((row) => row.providerAccountId === providerAccountId)
}

function aToken(identifier: string, options: Surroundings): VerificationToken {
  return { identifier, token: unique(), expires: instant(options) }
}

/** Fails for an optional method that isn't tested, because the engine would use it. */
export function allMethodsTested(tested: readonly Capability[]): ConformanceCase {
  const id = "capabilities"
  return defineCase(
    { id, name: "every optional method of the adapter is tested", part: "basic" },
    [],
    async (adapter) => {
      const untested = optionalMembers.filter((name) => adapter[name] !== undefined && !tested.includes(name))
      if (untested.length > 0) {
        fail("`capabilities` lists all optional methods of the adapter", `also ${untested.join(", ")}`)
      }
    },
  )
}
