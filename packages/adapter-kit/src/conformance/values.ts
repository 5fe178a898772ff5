import type { Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { type ConformanceCase, defineCase } from "./case.js"
import { expectFields, expectNull } from "./check.js"
import { accountKey, anAccount, anAuthenticator, aUser, instant, unique } from "./fixtures.js"
import { numericIds } from "./look-alikes.js"

/** Text, missing values, and ids in other formats. */
export const values: readonly ConformanceCase[] = [
  defineCase(
    { id: "users.text", name: "names keep emoji, quotes and every other character", part: "basic" },
    ["createUser", "getUser", "updateUser"],
    async (adapter, options) => {
      const fields = { name: difficultText, image: `https://example.com/?name=${difficultText}` }
      const { id } = await adapter.createUser(aUser(options, fields))
      expectFields("createUser stores text as it is", await adapter.getUser(id), fields)
      const changes = { name: `${difficultText}!`, image: "" }
      expectFields("updateUser returns text as it is", await adapter.updateUser({ id, ...changes }), changes)
      expectFields("updateUser stores text as it is", await adapter.getUser(id), changes)
    },
  ),
  defineCase(
    { id: "users.sparse", name: "a user without a name and picture is stored without them", part: "basic" },
    ["createUser", "getUser"],
    async (adapter, options) => {
      for (const missing of [{}, { name: undefined, image: undefined }, { name: null, image: null }]) {
        const { name: _, image: __, ...required } = aUser(options)
        // A `profile()` written in JavaScript may return undefined.
        const { id } = await adapter.createUser(Object.assign<AdapterUser, object>(required, missing))
        const found = await adapter.getUser(id)
        expectFields("getUser returns the user", found, { email: required.email, emailVerified: null })
        expectNull("A missing name is null or undefined, so `name ?? null`", found?.name ?? null)
        expectNull("A missing picture is null or undefined, so `image ?? null`", found?.image ?? null)
      }
    },
  ),
  defineCase(
    {
      id: "users.undefined",
      name: "an undefined field in an update keeps the stored value, and null removes it",
      part: "basic",
    },
    ["createUser", "updateUser", "getUser"],
    async (adapter, options) => {
      const created = await adapter.createUser(aUser(options, { emailVerified: instant(options) }))
      const { id } = created
      await adapter.updateUser(Object.assign<{ id: string }, object>({ id }, { name: undefined, image: null }))
      const found = await adapter.getUser(id)
      const { name, email, emailVerified } = created
      expectFields("updateUser keeps fields that are undefined", found, { name, email, emailVerified })
      expectNull("updateUser removes fields that are null, so `image ?? null`", found?.image ?? null)
    },
  ),
  defineCase(
    { id: "users.ids", name: "users with similar ids aren't confused", part: "basic" },
    ["createUser", "getUser", "createSession", "getSessionAndUser"],
    async (adapter, options) => {
      const suffix = unique()
      const ids = [...numericIds(), ...["abc-", "ABC-", "a:b|c/d-", "ß-", "ss-"].map((prefix) => prefix + suffix)]
      // A database may have its own format of ids.
      const outcomes = await Promise.allSettled(ids.map(async (id) => adapter.createUser(aUser(options, { id }))))
      for (const { id, email } of outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))) {
        expectFields(`getUser returns the user who got the id ${id}`, await adapter.getUser(id), { email })
        const sessionToken = unique()
        await adapter.createSession({ sessionToken, userId: id, expires: instant(options) })
        const found = await adapter.getSessionAndUser(sessionToken)
        expectFields(`getSessionAndUser returns the user with the id ${id}`, found?.user, { email })
      }
    },
  ),
  defineCase(
    {
      id: "accounts.types",
      name: "expires_at of an account stays a number, and missing tokens stay missing",
      part: "basic",
    },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const { id } = await adapter.createUser(aUser(options))
      const account = anAccount(id, { access_token: difficultText })
      const { access_token, expires_at } = account
      const returned = await adapter.linkAccount(account)
      if (returned) expectFields("linkAccount returns the account", returned, { access_token, expires_at })
      for (const stored of await readAccount(adapter, account))
        expectFields("linkAccount stores the account", stored, { access_token, expires_at })
      for (const missing of [{}, { access_token: undefined, expires_at: undefined, scope: undefined }]) {
        const required: AdapterAccount = { userId: id, type: "oidc", provider: "acme", providerAccountId: unique() }
        const bare = Object.assign<AdapterAccount, object>(required, missing)
        await adapter.linkAccount(bare)
        expectFields(
          "linkAccount accepts an account without tokens",
          await adapter.getUserByAccount(accountKey(bare)),
          { id },
        )
        for (const stored of await readAccount(adapter, bare)) {
          for (const field of ["access_token", "expires_at", "scope"] as const)
            expectNull(`A missing ${field} is null or undefined, so \`${field} ?? null\``, stored[field] ?? null)
        }
      }
    },
  ),
  defineCase(
    { id: "authenticators.sparse", name: "a passkey without transports is stored without them", part: "webauthn" },
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const { transports: _, ...bare } = anAuthenticator(user.id)
      for (const variant of [bare, { ...bare, transports: null }]) {
        const passkey = { ...variant, credentialID: btoa(unique()), providerAccountId: unique() }
        await adapter.createAuthenticator(passkey)
        const found = await adapter.getAuthenticator(passkey.credentialID)
        expectFields("getAuthenticator returns the passkey", found, { userId: user.id, counter: 0 })
        expectNull("Missing transports are null or undefined, so `transports ?? null`", found?.transports ?? null)
      }
    },
  ),
]

/** Characters of four bytes, a joined emoji, a decomposed accent, right-to-left text, and characters that need escaping. */
const difficultText = "Zoë 👩‍👩‍👧‍👦 𝒜 李 e\u0301 \u202eאב\u202c ß İ '\"`\\;-- %_ ${x} \n\t end"

/** The account as each method returns it that the adapter has. */
export async function readAccount(adapter: Adapter, account: AdapterAccount): Promise<AdapterAccount[]> {
  const { provider, providerAccountId, userId } = account
  const listed = (await adapter.listAccounts?.(userId))?.find((row) => row.providerAccountId === providerAccountId)
  const found = await adapter.getAccount?.(providerAccountId, provider)
  return [listed, found].filter((row) => row !== undefined && row !== null)
}
