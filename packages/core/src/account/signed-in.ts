import { MissingAdapter, RecentSignInRequired, SessionRequired } from "../errors.js"
import { userOfSession } from "../signin/stored-users.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { AccountSession } from "../model/features.js"
import type { AuthRequest } from "../model/http.js"
import { assertEnabled } from "../revoke/disabled.js"
import { liveSession } from "../session/current.js"
import { idText, isRecent } from "../session/live-session.js"

/** The session of a request. */
export type SignedIn = AccountSession<AuthContext>

/** The session of a request, and its user in the database. */
export interface StoredUser extends SignedIn {
  readonly adapter: Adapter
  readonly user: AdapterUser
  /** The id as text. */
  readonly userId: string
}

/** @throws SessionRequired */
export async function signedIn(auth: AuthContext, request: AuthRequest): Promise<SignedIn> {
  const live = await liveSession(auth, request)
  if (live === null) throw new SessionRequired("No user is signed in. Send the user to the sign-in page")
  return { auth, request, live }
}

/** @throws SessionRequired, AccessDenied or MissingAdapter */
export async function storedUser(auth: AuthContext, request: AuthRequest): Promise<StoredUser> {
  const signed = await signedIn(auth, request)
  const { adapter } = auth
  if (adapter === undefined) throw new MissingAdapter("The functions of the account need an adapter. Set `adapter`")
  const enabled = assertEnabled(auth, signed.live.userId)
  const user = await userOfSession(adapter, signed.live)
  if (user === null) throw new SessionRequired("The user of this session isn't in the database. Sign in again")
  await enabled
  return { ...signed, adapter, user, userId: idText(user.id) }
}

/** @throws RecentSignInRequired */
export async function assertRecent({ auth, request, live }: SignedIn): Promise<void> {
  if (await isRecent(auth, request, live)) return
  throw new RecentSignInRequired("The user signed in too long ago for this. Send the user to the sign-in page first")
}

/** Whether a row belongs to the user. Without transactions, the user is deleted first, and may have signed up again meanwhile. */
export function isOf(userId: string, row: { readonly userId: string } | null | undefined): boolean {
  return row !== null && row !== undefined && idText(row.userId) === idText(userId)
}
