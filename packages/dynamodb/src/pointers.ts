import { newId } from "@latchkey/core/adapters"
import type { Key } from "./keys.js"
import type { Table } from "./table.js"

/** A request that loses to others this often in a row is given up. */
const maxAttempts = 10

export interface Pointed {
  readonly pointer: Key
  readonly userId: string
  /** Further attributes of the pointer. */
  readonly attributes?: Readonly<Record<string, unknown>>
}

export interface Claim extends Pointed {
  /** Whether the user to whom the pointer leads has the row. Otherwise the pointer is outdated, and is replaced. */
  isLive(userId: string): Promise<boolean>
}

/**
 * Points an email, account, session or passkey to a user. Only one user can have it, because each write has a condition. Store the
 * row before: another request then sees that the pointer isn't outdated.
 *
 * @returns `false` if another user has it
 */
export async function claim(table: Table, { isLive, ...pointed }: Claim): Promise<boolean> {
  const { pointer, userId } = pointed
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await pointIfNone(table, pointed)) return true
    const found = await table.get(pointer)
    if (found === undefined) continue
    const { userId: owner, claimId } = found
    if (owner !== userId && (await isLive(String(owner)))) return false
    if (await table.put(pointer, itemOf(pointed), { equals: { claimId } })) return true
  }
  throw new Error("Other requests changed the same row at the same time. Repeat the request.")
}

/** `false`: there is a pointer already. */
export function pointIfNone(table: Table, pointed: Pointed): Promise<boolean> {
  return table.put(pointed.pointer, itemOf(pointed), { exists: false })
}

/** Another request may be replacing an earlier claim of the same user, so each claim has an id. */
function itemOf({ userId, attributes }: Pointed): Readonly<Record<string, unknown>> {
  return { ...attributes, userId, claimId: newId() }
}

/** Deletes a pointer, unless it leads to another user by now. */
export async function release(table: Table, pointer: Key, userId: string): Promise<void> {
  await table.remove(pointer, { equals: { userId } })
}

/** The user to whom a pointer leads. */
export async function ownerOf(table: Table, pointer: Key): Promise<string | undefined> {
  const found = await table.get(pointer)
  return found === undefined ? undefined : String(found["userId"])
}
