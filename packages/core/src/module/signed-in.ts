import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { User } from "../model/user.js"
import type { ModuleUser, SignInFacts } from "../module-kit/phases.js"
import { liveSession } from "../session/current.js"
import { idText, isRecent } from "../session/live-session.js"
import { authenticationOf } from "../signin/authentication.js"
import { userOfSession } from "../signin/stored-users.js"

// What a module learns about the user who sent a request.

/** `null`: no user is signed in, or they were deleted. */
export async function signedInUser(auth: AuthContext, request: AuthRequest): Promise<ModuleUser | null> {
  const live = await liveSession(auth, request)
  if (live === null) return null
  const stored = auth.adapter === undefined ? undefined : await userOfSession(auth.adapter, live)
  const id = stored == null ? live.userId : idText(stored.id)
  if (id === undefined || (stored === null && auth.strategy === "database")) return null
  const { email, name } = stored ?? claimsOf(live)
  return { id, email: email ?? undefined, name: name ?? undefined, isRecent: await isRecent(auth, request, live) }
}

/** `null`: no user is signed in. */
export async function signInOf(auth: AuthContext, request: AuthRequest): Promise<SignInFacts | null> {
  const live = await liveSession(auth, request)
  if (live === null) return null
  const said = await authenticationOf(auth, live)
  const at = live.authenticatedAt
  const authTime = said?.auth_time ?? (at === undefined ? undefined : Math.floor(at / 1000))
  return { session: live.row?.key, authTime, amr: said?.amr ?? [], acr: said?.acr, id: said?.id }
}

function claimsOf({ content }: LiveSession): Pick<User, "name" | "email"> {
  if (content.kind === "stored") return content.user
  const { name, email } = content.claims
  return { name: name ?? null, email: email ?? null }
}
