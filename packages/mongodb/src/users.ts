import type { AdapterUser, UserMethods } from "@latchkey/core/adapters"
import { type Document, ObjectId } from "mongodb"
import { assertText, fieldsOf, fromId, isText, setOf, toId, without } from "./documents.js"
import { rejectDuplicates } from "./failures.js"
import { byEmail, byId, ofUser } from "./filters.js"
import type { Collections } from "./collections.js"
import type { Store } from "./store.js"

const emailTaken = "The email is taken. Look up the user with getUserByEmail."

export function userMethods(store: Store): UserMethods {
  return {
    createUser: (user) => store.write(async ({ users }) => createUser(users, user)),
    getUser: async (id) =>
      isText(id) ? store.read(async ({ users }) => userOrNull(await users.findOne(byId(id)))) : null,
    getUserByEmail: async (email) =>
      isText(email) ? store.read(async ({ users }) => userOrNull(await users.findOne(byEmail(email)))) : null,
    getUserByAccount: async ({ provider, providerAccountId }) => {
      if (!isText(provider) || !isText(providerAccountId)) return null
      return store.read(async ({ accounts, users }) => {
        const account = await accounts.findOne({ provider, providerAccountId })
        return account === null ? null : userOrNull(await users.findOne(byId(fromId(account["userId"]))))
      })
    },
    updateUser: (changes) =>
      changes.email === undefined
        ? store.read(async ({ users }) => updateUser(users, changes))
        : store.write(async ({ users }) => updateUser(users, changes)),
    deleteUser: async (id) => (isText(id) ? store.read(async (collections) => deleteUser(collections, id)) : null),
  }
}

/** `@auth/mongodb-adapter` only reads users whose id is an `ObjectId`, so another id is replaced. */
async function createUser(users: Collections["users"], user: AdapterUser): Promise<AdapterUser> {
  if (typeof user.email === "string") assertText(user.email)
  const id = toId(user.id)
  const document = { _id: typeof id === "string" ? new ObjectId() : id, ...without(fieldsOf(user), "id", "_id") }
  await rejectDuplicates(emailTaken, () => users.insertOne({ ...document }))
  return userOf(document)
}

async function updateUser(
  users: Collections["users"],
  { id, ...changes }: Partial<AdapterUser> & Pick<AdapterUser, "id">,
): Promise<AdapterUser> {
  assertText(id)
  if (typeof changes.email === "string") assertText(changes.email)
  const fields = without(fieldsOf(changes), "_id")
  const find = Object.keys(fields).length === 0
  const updated = find
    ? await users.findOne(byId(id))
    : await rejectDuplicates(emailTaken, () =>
        users.findOneAndUpdate(byId(id), setOf(fields), { returnDocument: "after", includeResultMetadata: false }),
      )
  if (updated === null) throw new Error("There is no user with this id. Create the user first.")
  return userOf(updated)
}

/** Deletes the user first: without it, none of the other documents leads anywhere. */
async function deleteUser(collections: Collections, id: string): Promise<AdapterUser | null> {
  const { users, accounts, sessions, authenticators, records } = collections
  const deleted = await users.findOneAndDelete(byId(id), { includeResultMetadata: false })
  for (const collection of [sessions, accounts, authenticators]) await collection.deleteMany(ofUser(id))
  await records.deleteMany({ owner: id })
  return userOrNull(deleted)
}

export function userOf(document: Document): AdapterUser {
  const user = { emailVerified: null, ...without(document, "_id"), id: fromId(document["_id"]) }
  // The types of other fields depend on the application. BSON keeps the types that were stored.
  return user as unknown as AdapterUser
}

function userOrNull(document: Document | null): AdapterUser | null {
  return document === null ? null : userOf(document)
}

/** Acts as a foreign key. */
export async function requireUser({ users }: Collections, userId: string): Promise<void> {
  assertText(userId)
  if ((await users.findOne(byId(userId))) === null) {
    throw new Error("There is no user with this userId. Create the user first.")
  }
}
