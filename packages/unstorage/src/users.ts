import type { AdapterUser, UserMethods } from "@latchkey/core/adapters"
import { findAccount, listAccounts, removeAccount } from "./accounts.js"
import { listAuthenticators, removeAuthenticator } from "./authenticators.js"
import { claimEmail, findUserByEmail, releaseEmail } from "./emails.js"
import { recordStore } from "./records.js"
import { given, userOf } from "./rows.js"
import { listSessions, removeSession } from "./sessions.js"
import { findUser, hintKey, insert, locate, requirePlace, type Store } from "./store.js"

export function userMethods(store: Store): UserMethods {
  return {
    createUser: (user) => locked(store, user.id, [user.email], () => createUser(store, user)),
    getUser: async (id) => (await findUser(store, id)).row ?? null,
    getUserByEmail: (email) => findUserByEmail(store, email),
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const { row } = await findAccount(store, provider, providerAccountId)
      return row ? ((await findUser(store, row.userId)).row ?? null) : null
    },
    updateUser: (changes) => locked(store, changes.id, [changes.email], () => updateUser(store, changes)),
    deleteUser: (id) => locked(store, id, [], () => deleteUser(store, id)),
  }
}

/** Holds the user, then the given emails and the one that the user has. Other functions take locks in this order too. */
function locked<T>(store: Store, id: string, emails: readonly unknown[], work: () => Promise<T>): Promise<T> {
  return store.lock([`user ${id}`], async () => {
    const { row } = await findUser(store, id)
    const names = [...emails, row?.email].filter((email) => typeof email === "string")
    return store.lock(
      names.map((email) => `email ${email}`),
      work,
    )
  })
}

async function createUser(store: Store, user: AdapterUser): Promise<AdapterUser> {
  const place = requirePlace(store.prefixes.userKeyPrefix, user.id)
  const found = await locate(store, place, (value) => userOf(value, user.id))
  const row = given(user)
  const taken = "The user id is taken. Create the user with another id."
  await insert(store, found.row ? {} : found, row, taken)
  try {
    if (typeof user.email === "string") await claimEmail(store, user.email, user.id)
  } catch (error) {
    // If this fails too, the row stays, but no email leads to it.
    if (found.key !== undefined) await store.items.remove(found.key).catch(() => undefined)
    throw error
  }
  return stored(row, user.id)
}

async function updateUser(store: Store, changes: Partial<AdapterUser> & Pick<AdapterUser, "id">): Promise<AdapterUser> {
  const { key, row: before } = await findUser(store, changes.id)
  if (before === undefined || key === undefined) throw unknownUser()
  const after = { ...before, ...given(changes) }
  const isMoved = after.email !== before.email
  if (isMoved && typeof after.email === "string") await claimEmail(store, after.email, after.id)
  if (!(await store.items.overwrite(key, after))) throw unknownUser()
  if (isMoved) await releaseEmail(store, before.email, before.id)
  return stored(after, after.id)
}

/** Deletes the user first: without it, none of the other rows leads anywhere. */
async function deleteUser(store: Store, id: string): Promise<AdapterUser | null> {
  const { key, row } = await findUser(store, id)
  if (row === undefined || key === undefined) return null
  await store.items.remove(key)
  await releaseEmail(store, row.email, id)
  for (const session of await listSessions(store, id)) await removeSession(store, session.sessionToken)
  for (const account of await listAccounts(store, id)) await removeAccount(store, account)
  for (const passkey of await listAuthenticators(store, id)) await removeAuthenticator(store, passkey.credentialID)
  const { accountByUserIdPrefix, sessionByUserIdKeyPrefix, authenticatorUserKeyPrefix } = store.prefixes
  for (const prefix of [accountByUserIdPrefix, sessionByUserIdKeyPrefix, authenticatorUserKeyPrefix]) {
    const key = hintKey(prefix, id)
    if (key !== undefined) await store.items.remove(key)
  }
  await recordStore(store).removeOwned(id)
  return row
}

/** What a read would return. */
function stored(row: object, id: string): AdapterUser {
  const user = userOf(JSON.parse(JSON.stringify(row)), id)
  if (user === undefined) throw new TypeError("The user has no id. Pass one.")
  return user
}

function unknownUser(): Error {
  return new Error("There is no user with this id. Create the user first.")
}
