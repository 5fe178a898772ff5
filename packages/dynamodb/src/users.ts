import { type AdapterUser, UniqueViolation, type UserMethods } from "@latchkey/core/adapters"
import { findAccount } from "./accounts.js"
import { fieldsOf, type Item, lastingAttributesOf, makeLasting, withDates } from "./codec.js"
import { claimEmail, findUserByEmail, moveEmail } from "./emails.js"
import { assertStorable, emailPointer, isStorable, userKey } from "./keys.js"
import { removeOwnedItems } from "./owned-items.js"
import { release } from "./pointers.js"
import { recordStore } from "./records.js"
import { type Table, without } from "./table.js"

export function userMethods(table: Table): UserMethods {
  return {
    createUser: (user) => createUser(table, user),
    getUser: (id) => getUser(table, id),
    getUserByEmail: async (email) => {
      const item = await findUserByEmail(table, email)
      return item === undefined ? null : userOf(table, item)
    },
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const found = await findAccount(table, provider, providerAccountId)
      return found === undefined ? null : getUser(table, found.userId)
    },
    updateUser: (changes) => updateUser(table, changes),
    deleteUser: (id) => deleteUser(table, id),
  }
}

export async function getUser(table: Table, id: string): Promise<AdapterUser | null> {
  const item = isStorable(id) ? await table.get(userKey(id)) : undefined
  return item === undefined ? null : userOf(table, item)
}

/** The user is stored before the email is claimed, and found by it afterwards. */
async function createUser(table: Table, user: AdapterUser): Promise<AdapterUser> {
  assertStorable(user.id)
  const { email } = user
  if (typeof email === "string") assertStorable(email)
  const key = userKey(user.id)
  const item = { ...table.withoutKeys(lastingAttributesOf(user)), type: "USER" }
  if (typeof email === "string" && (await findUserByEmail(table, email)) !== undefined) throw emailTaken()
  if (!(await table.put(key, item, { exists: false }))) {
    throw new UniqueViolation("The user id is taken. Create the user with another id.")
  }
  if (typeof email !== "string") return userOf(table, item)
  if (!(await claimEmail(table, email, user.id))) {
    await table.remove(key)
    throw emailTaken()
  }
  await table.update(key, { set: indexOf(table, email) }, { exists: true })
  return userOf(table, item)
}

async function updateUser(
  table: Table,
  { id, ...given }: Partial<AdapterUser> & Pick<AdapterUser, "id">,
): Promise<AdapterUser> {
  const before = isStorable(id) ? await table.get(userKey(id)) : undefined
  if (before === undefined) throw unknownUser()
  const changes = without(table.withoutKeys(lastingAttributesOf(given)), ["type", "emailClaim"])
  const lasting = makeLasting(before)
  const { remove } = lasting
  const set = { ...lasting.set, ...changes }
  const isMoved = "email" in set && set["email"] !== before["email"]
  const after = isMoved
    ? await moveEmail(table, { id, before, set, remove })
    : await table.update(userKey(id), { set: { ...set, id }, remove }, { exists: true })
  if (after === undefined) throw unknownUser()
  return userOf(table, after)
}

/** Deletes the user first: without it, none of the other items leads anywhere. */
async function deleteUser(table: Table, id: string): Promise<AdapterUser | null> {
  if (!isStorable(id)) return null
  const items = await table.list(userKey(id).pk)
  const removed = await table.remove(userKey(id))
  const email = removed?.["email"]
  if (typeof email === "string" && isStorable(email)) await release(table, emailPointer(email), id)
  await removeOwnedItems(table, items)
  await recordStore(table).removeOwned(id)
  return removed === undefined ? null : userOf(table, removed)
}

function userOf(table: Table, item: Item): AdapterUser {
  const fields = fieldsOf(without(table.withoutKeys(item), ["type", "emailClaim"]))
  const user = { emailVerified: null, ...withDates(fields, ["id", "name", "email", "image"]) }
  // The types of other fields depend on the application. DynamoDB returns each with the type that was stored.
  return user as unknown as AdapterUser
}

export function indexOf(table: Table, email: unknown): Item {
  return typeof email === "string" ? table.indexed({ pk: `USER#${email}`, sk: `USER#${email}` }) : {}
}

function emailTaken(): UniqueViolation {
  return new UniqueViolation("The email is taken. Look up the user with getUserByEmail.")
}

function unknownUser(): Error {
  return new Error("There is no user with this id. Create the user first.")
}
