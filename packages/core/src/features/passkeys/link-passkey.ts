import type { Adapter, AdapterAccount } from "../../model/adapter.js"
import { errorsIn } from "../../observability/causes.js"
import { call } from "../../signin/enroll.js"
import type { NewPasskey } from "./proof.js"

/** Stores a new passkey and its account. */
export async function linkPasskey(
  adapter: Adapter,
  { authenticator }: NewPasskey,
  account: AdapterAccount,
): Promise<void> {
  const { userId } = account
  await linkWithHandle(adapter, account)
  try {
    await call(adapter, "createAuthenticator")({ ...authenticator, userId })
  } catch (cause) {
    if (!(await isStored(adapter, authenticator.credentialID, userId))) throw cause
  }
}

/** Auth.js v5 stores no user handle, so a database may lack its column. The handle is only an additional check. */
async function linkWithHandle(adapter: Adapter, account: AdapterAccount): Promise<void> {
  const linkAccount = call(adapter, "linkAccount")
  try {
    await linkAccount(account)
  } catch (cause) {
    if (!lacksColumn(cause)) throw cause
    const { session_state: _, ...withoutHandle } = account
    try {
      await linkAccount(withoutHandle)
    } catch {
      // In PostgreSQL, every statement fails after one of its transaction failed. Only the first error says why.
      throw cause
    }
  }
}

/**
 * Conflicts with other transactions, in PostgreSQL, MySQL, SQLite and Prisma. MySQL has rolled the transaction back then, so another
 * statement would be stored outside of it.
 */
const conflicts = /^(?:40001|40P01|ER_LOCK_\w+|ER_CHECKREAD|SQLITE_BUSY\w*|P2034)$/

/** The error of a conflict can name the column too: it can contain the statement. */
function lacksColumn(cause: unknown): boolean {
  const errors = cause instanceof Error ? errorsIn(cause) : []
  const isConflict = errors.some((error) => "code" in error && conflicts.test(String(error.code)))
  return !isConflict && errors.some(({ message }) => /column|session_?state/i.test(message))
}

/** The database may have stored the passkey before it failed. */
async function isStored(adapter: Adapter, credentialID: string, userId: string): Promise<boolean> {
  try {
    const stored = await adapter.getAuthenticator?.(credentialID)
    return stored?.credentialID === credentialID && stored.userId === userId
  } catch {
    // Report the first error, not this one.
    return false
  }
}

/** Removes the passkey that was just linked, if it belongs to this user. */
export async function removePasskey(
  adapter: Adapter,
  { authenticator: { credentialID } }: NewPasskey,
  { userId }: AdapterAccount,
): Promise<void> {
  if (await isStored(adapter, credentialID, userId)) await adapter.deleteAuthenticator?.(credentialID)
}
