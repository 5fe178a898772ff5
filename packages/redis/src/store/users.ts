import { type Adapter, type AdapterUser, UniqueViolation } from "@latchkey/core/adapters"
import { claimField, given, textField } from "./codec.js"
import { claimEmail, releaseEmail } from "./emails.js"
import { asStored, type Stored } from "./records.js"
import type { Store } from "./store.js"
import { changeUser, missingUser, readUser, userOf, withoutClaim } from "./user-records.js"

type UserMethods = Required<Pick<Adapter, "createUser" | "getUser" | "getUserByEmail" | "updateUser">>

/**
 * How long a new user exists if the process ends before it claimed the email, in milliseconds. Then the user is gone, and
 * the email is free.
 */
const provisionalMs = 60_000

export function userMethods(store: Store): UserMethods {
  return {
    createUser: (user) => createUser(store, user),
    getUser: async (id) => userOrNull(await readUser(store, id)),
    getUserByEmail: async (email) => {
      const id = await store.records.readText(store.layout.email(email))
      const stored = id === null ? null : await readUser(store, id)
      // An interrupted change leaves an entry that leads to a user with another email.
      return stored !== null && textField(stored, "email") === email ? userOf(stored) : null
    },
    updateUser: (changes) => updateUser(store, changes),
  }
}

/**
 * The user comes first and the email second, so an email that's in use always leads to a user. Until the email is claimed, the
 * user is provisional.
 */
async function createUser(store: Store, user: AdapterUser): Promise<AdapterUser> {
  const { records, layout } = store
  const [key, text] = [layout.user(user.id), JSON.stringify(user)]
  const hasEmail = typeof user.email === "string"
  if (!(await records.insert(key, text, hasEmail ? provisionalMs : "forever"))) {
    throw new UniqueViolation("The user id is taken. Create the user with another id.")
  }
  if (hasEmail) await claimFor(store, user.id, user.email, () => records.remove(key, text))
  if (hasEmail && !(await records.keep(key))) {
    throw new Error("Redis took too long to store the user. Try again.")
  }
  return userOf(asStored(text))
}

async function updateUser(
  store: Store,
  { id, ...changes }: Partial<AdapterUser> & Pick<AdapterUser, "id">,
): Promise<AdapterUser> {
  const current = await readUser(store, id)
  if (current === null) throw missingUser()
  const { email } = changes
  if (typeof email !== "string" || email === current.fields["email"]) {
    return changed(await changeUser(store, id, (fields) => ({ ...fields, ...given(changes) })))
  }
  await changeUser(store, id, (fields) => ({ ...fields, [claimField]: email }))
  await claimFor(store, id, email, () => changeUser(store, id, withoutClaim))
  const user = await changeUser(store, id, (fields) => {
    // Another user claimed the email meanwhile, and has it now.
    if (fields[claimField] !== email) throw takenEmail()
    return { ...withoutClaim(fields), ...given(changes) }
  })
  await releaseEmail(store, textField(current, "email"), id)
  return changed(user)
}

function changed(stored: Stored | null): AdapterUser {
  if (stored === null) throw missingUser()
  return userOf(stored)
}

/** Undoes what came before if the email is taken. */
async function claimFor(store: Store, id: string, email: string, undo: () => Promise<unknown>): Promise<void> {
  if (await claimEmail(store, email, id)) return
  await undo()
  throw takenEmail()
}

function takenEmail(): UniqueViolation {
  return new UniqueViolation("The email is taken. Look up the user with getUserByEmail.")
}

export function userOrNull(stored: Stored | null): AdapterUser | null {
  return stored === null ? null : userOf(stored)
}
