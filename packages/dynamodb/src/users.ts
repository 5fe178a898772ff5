import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { findAccount } from "./accounts.js"
import { attributesOf, type Item, withDates } from "./codec.js"
import { claimEmail, findUserByEmail, moveEmail } from "./emails.js"
import { UniqueViolation } from "./failures.js"
import {
  accountPointer,
  assertStorable,
  authenticatorPointer,
  emailPointer,
  isStorable,
  sessionPointer,
  userKey,
} from "./keys.js"
import type { Key } from "./keys.js"
import { release } from "./pointers.js"
import { type Table, without } from "./table.js"

type UserMethods = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser">
>

/** Requests of a deletion that run at once. */
const deleteBatch = 25

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
  const item = { ...table.withoutKeys(attributesOf(user)), type: "USER" }
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
  const set = without(table.withoutKeys(attributesOf(given)), ["type", "emailClaim"])
  const isMoved = "email" in set && set["email"] !== before["email"]
  const after = isMoved
    ? await moveEmail(table, { id, before, set })
    : await table.update(userKey(id), { set: { ...set, id } }, { exists: true })
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
  for (let index = 0; index < items.length; index += deleteBatch) {
    const batch = items.slice(index, index + deleteBatch)
    await Promise.all(batch.map(async ({ pk, sk, item }) => removeWithPointer(table, { pk, sk }, item)))
  }
  return removed === undefined ? null : userOf(table, removed)
}

async function removeWithPointer(table: Table, key: Key, item: Item): Promise<void> {
  await table.remove(key)
  const pointer = pointerOf(key.sk, item)
  if (pointer !== undefined) await release(table, pointer, String(item["userId"]))
}

function pointerOf(sk: string, item: Item): Key | undefined {
  if (sk.startsWith("ACCOUNT#")) return accountPointer(String(item["provider"]), String(item["providerAccountId"]))
  if (sk.startsWith("SESSION#")) return sessionPointer(String(item["sessionToken"]))
  if (sk.startsWith("AUTHENTICATOR#")) return authenticatorPointer(String(item["credentialID"]))
  return undefined
}

function userOf(table: Table, item: Item): AdapterUser {
  const fields = without(table.withoutKeys(item), ["type", "emailClaim"])
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
