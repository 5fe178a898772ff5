import type { SignedIn } from "../../account/signed-in.js"
import { AuthError } from "../../errors.js"
import type { SetCookie } from "../../model/cookie.js"
import { writeSessionCookie } from "../../session/session-cookie.js"
import { withClaims } from "../../session/token-codec.js"

/** The claims of a sealed session that are copies of fields of the user. */
const claimOf = { name: "name", email: "email", image: "picture" } as const

const fields = ["name", "email", "image"] as const

type Copied = Partial<Readonly<Record<(typeof fields)[number], string | null>>>

/**
 * Writes changes of a user into the session of this browser. In other browsers the copies stay until the next sign-in. With a `jwt`
 * callback, a claim that isn't what was stored is the application's, and stays.
 */
export async function renewSession(
  { auth, request, live }: SignedIn,
  former: Copied,
  changes: Copied,
): Promise<readonly SetCookie[]> {
  const { content } = live
  if (content.kind !== "sealed") return []
  const isCopy = (claim: unknown, stored: unknown) => auth.callbacks.jwt === undefined || claim === (stored ?? null)
  const copied = fields.filter(
    (field) => changes[field] !== undefined && isCopy(content.claims[claimOf[field]] ?? null, former[field]),
  )
  if (copied.length === 0) return []
  const claims = { ...content.claims, ...Object.fromEntries(copied.map((field) => [claimOf[field], changes[field]])) }
  const { scheme, cookies } = request
  try {
    const changed = { ...withClaims(live, claims), outdated: true }
    const renewal = await scheme.sessions.renew(changed, { data: { user: changes }, sender: "application" })
    if (renewal.kind !== "issue") return []
    return writeSessionCookie(scheme.cookies.sessionToken, renewal.issued, cookies, auth.runtime.now())
  } catch (cause) {
    auth.logger.error(new AuthError("Could not write a change of the user into the session; a sign-in does", { cause }))
    return []
  }
}
