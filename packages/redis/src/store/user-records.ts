import type { AdapterUser } from "@latchkey/core/adapters"
import { claimField, dateField, epochOf, publicFields } from "./codec.js"
import { asStored, type Stored } from "./records.js"
import type { Store } from "./store.js"

type Fields = Stored["fields"]

/** `null` for another record at the same key: the key of a user with the id `email:a` is that of the email `a`. */
export async function readUser({ records, layout }: Store, id: string): Promise<Stored | null> {
  const stored = await records.read(layout.user(id))
  return stored !== null && stored.fields["id"] === id ? stored : null
}

/**
 * Makes a provisional user permanent, because something is about to belong to it.
 *
 * @throws Error if there is no such user
 */
export async function requireUser(store: Store, userId: string): Promise<{ readonly epoch: number }> {
  const stored = await readUser(store, userId)
  if (stored === null || !(await store.records.keep(store.layout.user(userId)))) throw missingUser()
  return { epoch: epochOf(stored) }
}

export function missingUser(): Error {
  return new Error("There is no user with this id. Create the user first.")
}

/**
 * Repeats a change until no other process changed the user in between. A provisional user becomes permanent.
 *
 * @returns the changed user, or `null` if there is none
 */
export async function changeUser(store: Store, id: string, change: (fields: Fields) => Fields): Promise<Stored | null> {
  for (;;) {
    const stored = await readUser(store, id)
    if (stored === null) return null
    const to = JSON.stringify(change(stored.fields))
    const replaced = await store.records.replace(store.layout.user(id), {
      from: stored.text,
      to,
      lifetime: "forever",
    })
    if (replaced) return asStored(to)
  }
}

export function withoutClaim(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== claimField))
}

export function userOf(stored: Stored): AdapterUser {
  const emailVerified = stored.fields["emailVerified"] ? dateField(stored, "emailVerified") : null
  const user = { ...publicFields(stored), emailVerified }
  if (isUser(user)) return user
  throw new Error("Redis has a user without an id. Check that no other application uses the same keys.")
}

/** The email isn't checked: users of providers that return no email don't have one. */
function isUser(user: { readonly emailVerified: Date | null; readonly id?: unknown }): user is AdapterUser {
  return typeof user.id === "string"
}
