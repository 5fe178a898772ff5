import type { Item } from "./codec.js"
import { accountPointer, authenticatorPointer, type Key, sessionPointer } from "./keys.js"
import { release } from "./pointers.js"
import type { Table } from "./table.js"

/** Items that are deleted at once. */
const deleteBatch = 25

/** Deletes rows of a user, and the pointers to them. */
export async function removeOwnedItems(table: Table, items: readonly (Key & { readonly item: Item })[]): Promise<void> {
  for (let index = 0; index < items.length; index += deleteBatch) {
    const batch = items.slice(index, index + deleteBatch)
    await Promise.all(batch.map(async ({ pk, sk, item }) => removeWithPointer(table, { pk, sk }, item)))
  }
}

/** The row first: a pointer without a row leads nowhere. */
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
