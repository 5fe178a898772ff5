import { AuthError, InvalidConfig } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { RecordStore } from "../model/records.js"
import { disabledKind } from "./disabled.js"
import { revoke, storedUser } from "./revoke.js"

/**
 * Ends every credential of a user, and refuses new ones. The record comes first: a sign-in that is about to start a session finds it
 * afterwards, or has started one that ends here.
 *
 * @throws InvalidConfig without records
 * @throws RevokeError that names the kinds that may still work
 * @throws AuthError if sessions are in the database, which has no such user
 */
export async function disable(auth: AuthContext, userId: string, reason?: string): Promise<void> {
  const store = storeOf(auth)
  if (await isUnknown(auth, userId))
    throw new AuthError("No user has the id that `disable` got. Pass it as the database has it")
  const since = new Date(auth.runtime.now())
  const data = JSON.stringify({ since, reason })
  const record = { kind: disabledKind, key: userId, owner: userId, index1: null, index2: null, data, expiresAt: null }
  await store.insert(record, since)
  await revoke(auth, userId, reason, "user.disabled")
}

/** With sessions in cookies, a user may be stored elsewhere. While the database fails, none is unknown. */
async function isUnknown(auth: AuthContext, userId: string): Promise<boolean> {
  if (auth.strategy === "jwt") return false
  return storedUser(auth, userId).then(
    (user) => user === null,
    () => false,
  )
}

/** @throws InvalidConfig without records */
export async function enable(auth: AuthContext, user: string): Promise<void> {
  await storeOf(auth).remove(disabledKind, user)
  await auth.audit?.emit({ name: "user.enabled", outcome: "success", user, by: "application" })
}

function storeOf({ records }: AuthContext): RecordStore {
  if (records !== undefined) return records
  throw new InvalidConfig("Disabled users are kept in records. Add `records: adapter.records`")
}
