import { AccessDenied } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { StoredRecord } from "../model/records.js"

export const disabledKind = "core.disabled-user"

/** The record of a user who is disabled. Its key is the id. */
export async function disabledRecord(
  { records }: Pick<AuthContext, "records">,
  userId: string | number | undefined,
): Promise<StoredRecord | null> {
  return (await records?.get(disabledKind, String(userId))) ?? null
}

/**
 * Starts to read at once. It can be awaited later, also if something else fails first.
 *
 * @throws AccessDenied if the user is disabled
 */
export function assertEnabled(...args: Parameters<typeof disabledRecord>): Promise<void> {
  const asserted = disabledRecord(...args).then((record) => {
    if (record !== null) throw new AccessDenied("The user is disabled until you call `enable`")
  })
  asserted.catch(() => {})
  return asserted
}
