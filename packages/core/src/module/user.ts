import { userOfSession } from "../methods/stored-users.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { User } from "../model/user.js"
import { liveSession } from "../session/current.js"
import { idText } from "../session/live-session.js"
import { isRecent } from "../session/recent-sign-in.js"
import type { ModuleUser } from "../module-kit/model.js"

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

function claimsOf({ content }: LiveSession): Pick<User, "name" | "email"> {
  if (content.kind === "stored") return content.user
  const { name, email } = content.claims
  return { name: name ?? null, email: email ?? null }
}
