import { sha256 } from "../crypto/digest.js"
import { InvalidConfig } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { RecordStore } from "../model/records.js"
import { disabledKind } from "./disabled.js"
import { assertUserId, revoke } from "./revoke.js"

/**
 * Ends every credential of a user, and refuses new ones. The record comes first: a sign-in that is about to start a session finds it
 * afterwards, or has started one that ends here.
 *
 * @throws InvalidConfig without records
 * @throws RevokeError that names the kinds that may still work
 */
export async function disable(auth: AuthContext, userId: string, reason?: string): Promise<void> {
  assertUserId("disable", userId)
  const since = new Date(auth.runtime.now())
  const record = { kind: disabledKind, key: await sha256(userId), owner: userId, index1: null, index2: null }
  await storeOf(auth).insert({ ...record, data: JSON.stringify({ since, reason }), expiresAt: null }, since)
  await auth.audit?.emit({ name: "user.disabled", outcome: "success", user: userId, by: "application", reason })
  await revoke(auth, userId, reason)
}

/** @throws InvalidConfig without records */
export async function enable(auth: AuthContext, userId: string): Promise<void> {
  assertUserId("enable", userId)
  await storeOf(auth).remove(disabledKind, await sha256(userId))
  await auth.audit?.emit({ name: "user.enabled", outcome: "success", user: userId, by: "application" })
}

function storeOf({ records }: AuthContext): RecordStore {
  if (records !== undefined) return records
  throw new InvalidConfig(
    "`disable` keeps a record. Add `records: adapter.records`, or those of another adapter of Latchkey",
  )
}
