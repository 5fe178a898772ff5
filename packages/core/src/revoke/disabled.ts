import { sha256 } from "../crypto/digest.js"
import { AccessDenied } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { StoredRecord } from "../model/records.js"

export const disabledKind = "core.disabled-user"

/** The record of a user who is disabled. */
export async function disabledRecord(
  { records }: Pick<AuthContext, "records">,
  userId: string | number | undefined,
): Promise<StoredRecord | null> {
  return records === undefined || userId === undefined ? null : records.get(disabledKind, await sha256(String(userId)))
}

/**
 * Starts to read at once. It can be awaited later, also if something else fails first.
 *
 * @throws AccessDenied if the user is disabled
 */
export function assertEnabled(auth: Pick<AuthContext, "records">, userId: string | number | undefined): Promise<void> {
  const asserted = disabledRecord(auth, userId).then((record) => {
    if (record !== null) throw new AccessDenied("The user is disabled. To let them sign in again, call `enable`")
  })
  asserted.catch(() => {})
  return asserted
}
