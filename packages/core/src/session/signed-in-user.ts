import type { SessionContext } from "../model/auth.js"
import type { SessionRequest, SignedInUser } from "../model/http.js"
import type { LiveSession } from "../model/session-strategy.js"
import { readFound } from "./current.js"
import { tokenOf } from "./session-cookie.js"

/**
 * Who is signed in, without calling the callbacks of the application: Auth.js v5 doesn't call them for a page.
 *
 * @returns `null` if no user is signed in, and `undefined` if the session can't be read
 */
export async function signedInUser(
  auth: SessionContext,
  request: SessionRequest,
): Promise<SignedInUser | null | undefined> {
  const found = tokenOf(auth, request)
  if (found === undefined) return null
  try {
    const live = await readFound(auth, request, found)
    return live === null ? null : { label: labelOf(live) }
  } catch {
    // The sign-out reports it.
    return undefined
  }
}

function labelOf({ content }: LiveSession): string | undefined {
  const { email, name } = content.kind === "sealed" ? content.claims : content.user
  return [email, name].find((text) => typeof text === "string" && text !== "") ?? undefined
}
