import { RevokeError } from "../errors.js"
import type { AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { CredentialKind, Revoked } from "../model/credential-kind.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { toAuthError } from "../primitives/to-auth-error.js"
import { idText } from "../session/live-session.js"
import { credentialKindsOf } from "./kinds.js"

/**
 * Ends every credential that core and the modules have issued to a user. All kinds are asked, so that one that fails leaves no
 * other one open.
 *
 * @param name of the security event
 * @throws RevokeError that names the kinds that may still work
 */
export async function revoke(
  auth: AuthContext,
  userId: string,
  reason?: string,
  name: "credentials.revoked" | "user.disabled" = "credentials.revoked",
): Promise<void> {
  const failed: Failure[] = []
  const user = await findUser(auth, userId, failed)
  const revoked: Revoked = { userId, user, reason }
  for (const kind of [...credentialKindsOf(auth), ...(await moduleKinds(auth, failed))]) {
    try {
      await kind.end(auth, revoked)
    } catch (cause) {
      failed.push({ kind: kind.name, error: toAuthError(cause) })
    }
  }
  auth.logger.debug("revoke", () => ({ userId, reason, failed: failed.map(({ kind }) => kind) }))
  const outcome = failed.length > 0 ? "failure" : "success"
  const about = { user: userId, by: "application", reason } as const
  await auth.audit?.emit({
    ...about,
    name,
    outcome,
    data: { failed: failed.map(({ kind }) => kind) },
  })
  if (failed.length > 0) throw incomplete(failed)
}

interface Failure {
  readonly kind: string
  readonly error: Error
}

/** The user of an id. */
export async function storedUser({ adapter }: AuthContext, userId: string): Promise<AdapterUser | null> {
  const user = (await adapter?.getUser?.(userId)) ?? null
  // Some databases ignore case.
  return user !== null && idText(user.id) === userId ? user : null
}

/** Without the user, the links to their email can't be found, and everything else ends by the id. */
async function findUser(auth: AuthContext, userId: string, failed: Failure[]): Promise<AdapterUser | null> {
  try {
    return await storedUser(auth, userId)
  } catch (cause) {
    failed.push({ kind: "email-links", error: toAuthError(cause) })
    return null
  }
}

/** A module that can't be loaded leaves what it issued. */
async function moduleKinds(auth: AuthContext, failed: Failure[]): Promise<readonly CredentialKind<AuthContext>[]> {
  if (!hasSeam(auth)) return []
  try {
    return await (await seamOf(auth)).revokers(auth)
  } catch (cause) {
    failed.push({ kind: "modules", error: toAuthError(cause) })
    return []
  }
}

function incomplete(failed: readonly Failure[]): RevokeError {
  const kinds = failed.map(({ kind }) => kind)
  const cause = new AggregateError(
    failed.map(({ error }) => error),
    failed.map(({ kind, error }) => `${kind}: ${error.message}`).join("; "),
  )
  const text = `Could not end every credential of the user (${kinds.join(", ")}). Solve the causes, and call \`revoke\` again`
  return new RevokeError(text, { kinds, cause })
}
