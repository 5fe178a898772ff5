import { newId, UniqueViolation } from "@latchkey/core/adapters"
import type { Item } from "./codec.js"
import { assertStorable, emailPointer, isStorable, userKey } from "./keys.js"
import { claim, ownerOf, release } from "./pointers.js"
import type { Changes, Table } from "./table.js"

/** Follows the pointer. Users whom `@auth/dynamodb-adapter` stored have none, and are in the index. */
export async function findUserByEmail(table: Table, email: unknown): Promise<Item | undefined> {
  if (typeof email !== "string" || !isStorable(email)) return undefined
  const owner = await ownerOf(table, emailPointer(email))
  const user = owner === undefined ? undefined : await table.get(userKey(owner))
  if (user?.["email"] === email) return user
  for (const key of await table.lookUp(emailIndexKey(email))) {
    const indexed = await table.get(key)
    if (indexed?.["email"] === email) return indexed
  }
  return undefined
}

/** Points an email to a user who is stored with it already, or who announced it with `emailClaim`. */
export function claimEmail(table: Table, email: string, userId: string): Promise<boolean> {
  const isLive = (owner: string) => hasOrGets(table, owner, email)
  return claim(table, { pointer: emailPointer(email), userId, isLive })
}

interface EmailChange {
  readonly id: string
  readonly set: Item
  /** Attributes to remove. */
  readonly remove: readonly string[]
}

/**
 * Changes the email of a user in conditional steps, because the email of one item can't depend on another item: announce it in
 * the user, point it to the user, and store it if no other request withdrew the announcement.
 */
export async function moveEmail(
  table: Table,
  { id, before, set, remove }: EmailChange & { readonly before: Item },
): Promise<Item | undefined> {
  const email: unknown = set["email"]
  const former: unknown = before["email"]
  const after =
    typeof email === "string"
      ? await claimAndStore(table, { id, email, set, remove })
      : await storeNone(table, { id, set, remove })
  if (after !== undefined && typeof former === "string" && isStorable(former)) {
    await release(table, emailPointer(former), id)
  }
  return after
}

async function claimAndStore(
  table: Table,
  { id, email, set, remove }: EmailChange & { readonly email: string },
): Promise<Item | undefined> {
  assertStorable(email)
  const key = userKey(id)
  const claimId = newId()
  const isMine = { equalsIn: { emailClaim: { claimId } } }
  const owner = await findUserByEmail(table, email)
  if (owner !== undefined && owner["id"] !== id) throw taken()
  const announced = await table.update(key, { set: { emailClaim: { email, claimId } } }, { exists: true })
  if (announced === undefined) return undefined
  if (!(await claimEmail(table, email, id))) {
    await table.update(key, { set: {}, remove: ["emailClaim"] }, isMine)
    throw taken()
  }
  const changes: Changes = {
    set: { ...set, ...table.indexed(emailIndexKey(email)) },
    remove: ["emailClaim", ...remove],
  }
  const after = await table.update(key, changes, isMine)
  if (after !== undefined) return after
  await release(table, emailPointer(email), id)
  throw taken()
}

async function storeNone(table: Table, { id, set, remove }: EmailChange): Promise<Item | undefined> {
  const indexed = Object.keys(table.indexed(emailIndexKey("")))
  return table.update(userKey(id), { set, remove: [...indexed, ...remove] }, { exists: true })
}

/** Withdraws an announcement: either this request or the one that announced the email goes on, never both. */
async function hasOrGets(table: Table, userId: string, email: string): Promise<boolean> {
  const user = await table.get(userKey(userId))
  if (user === undefined) return false
  if (user["email"] === email) return true
  const announced = Object(user["emailClaim"])
  if (Reflect.get(announced, "email") !== email) return false
  const isSame = { equalsIn: { emailClaim: { claimId: Reflect.get(announced, "claimId") as unknown } } }
  const withdrawn = await table.update(userKey(userId), { set: {}, remove: ["emailClaim"] }, isSame)
  return withdrawn === undefined ? hasOrGets(table, userId, email) : false
}

function emailIndexKey(email: string): { readonly pk: string; readonly sk: string } {
  return { pk: `USER#${email}`, sk: `USER#${email}` }
}

function taken(): UniqueViolation {
  return new UniqueViolation("The email is taken. Look up the user with getUserByEmail.")
}
