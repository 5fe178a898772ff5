import type { StoredUser } from "../../account/signed-in.js"
import { authenticate, equal, sha256 } from "../../crypto/digest.js"
import { Verification } from "../../errors.js"
import { maxLinkEmail, maxLinkToken } from "../../limits/of-input.js"
import type { Adapter, AdapterUser, VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import { keepSecret } from "../../observability/in-flight.js"
import { mutexOf } from "../../primitives/state.js"
import { idText } from "../../session/live-session.js"
import { recordName } from "../../session/records.js"
import { checkedToken } from "../../signin/email-links.js"
import type { ChangingAdapter } from "./requirements.js"

/** The parameters of a link. */
export interface EmailLink {
  readonly token: string
  readonly email: string
}

/**
 * Says at once that a link doesn't work, without using it up.
 *
 * @returns when it expires
 * @throws Verification
 */
export async function assertOpen(stored: StoredUser, link: EmailLink): Promise<Date> {
  const expires = await readLink(stored, link)
  const { getVerificationToken } = stored.adapter
  if (getVerificationToken === undefined) return expires
  const found = await getVerificationToken(await pendingOf(stored.userId))
  if (!found || new Date(found.expires).getTime() !== expires.getTime()) throw invalid()
  return expires
}

/**
 * When the link expires.
 *
 * @throws Verification if it isn't for this user and this email, was used or has expired
 */
async function readLink({ auth, user }: StoredUser, { token, email }: EmailLink): Promise<Date> {
  const isPlausible = token.length <= maxLinkToken && email !== "" && email.length <= maxLinkEmail
  const expires = new Date(Number.parseInt(token.split(".")[0] ?? "", 36))
  for (const secret of isPlausible ? auth.secrets : []) {
    if (!equal(await tokenOf(secret, { user, email, expires }), token)) continue
    if (expires.getTime() > auth.runtime.now()) return expires
    throw new Verification("The link has expired. Request a new one", { hasInvite: true, expired: true })
  }
  throw invalid()
}

function invalid(): Verification {
  const details = { hasInvite: false, expired: false }
  return new Verification("The link was already used, was replaced, is for another user, or is unknown", details)
}

/**
 * Uses up what a link needs.
 *
 * @throws Verification
 */
export async function consume(
  stored: StoredUser,
  adapter: ChangingAdapter,
  opened: EmailLink,
): Promise<VerificationToken> {
  const { auth, request, userId } = stored
  keepSecret(request, opened.token)
  // A former link doesn't take the row of the newest one, not even for a moment.
  const expires = await assertOpen(stored, opened)
  const pending = await pendingOf(userId)
  return mutexOf(auth).runExclusive(pending.token, async () => {
    const found = await adapter.useVerificationToken(pending)
    if (!found) throw invalid()
    const used = checkedToken(found, pending.identifier, pending.token, auth.runtime.now())
    if (used.expires.getTime() === expires.getTime()) return used
    // The user requested a newer link meanwhile.
    await adapter.createVerificationToken(used)
    throw invalid()
  })
}

/** The key of the row that says that a change is pending. The link proves the rest, and a user has one row at most. */
async function pendingOf(userId: string): Promise<Pick<VerificationToken, "identifier" | "token">> {
  const owner = await sha256(JSON.stringify(["change of email", userId]))
  return { identifier: recordName("change-email", owner.slice(0, 32)), token: owner }
}

/** Replaces the former row. @returns when the link expires, which tells it from former ones */
export async function storePending(
  auth: AuthContext,
  adapter: ChangingAdapter,
  { userId, expiresIn }: { readonly userId: string; readonly expiresIn: number },
): Promise<Date> {
  const pending = await pendingOf(userId)
  return mutexOf(auth).runExclusive(pending.token, async () => {
    const former = await adapter.useVerificationToken(pending)
    // Some databases store whole seconds.
    const earliest = former ? secondsOf(new Date(former.expires)) + 1 : 0
    const expires = new Date(Math.max(earliest, secondsOf(auth.runtime.now()) + expiresIn) * 1000)
    await adapter.createVerificationToken({ ...pending, expires })
    return expires
  })
}

function secondsOf(time: Date | number): number {
  return Math.floor(Number(time) / 1000)
}

/** A link that was sent for the user before doesn't work anymore. */
export async function endEmailChange(adapter: Adapter, userId: string): Promise<void> {
  const pending = await pendingOf(userId)
  if (adapter.deleteVerificationTokens === undefined) await adapter.useVerificationToken?.(pending)
  else await adapter.deleteVerificationTokens(pending.identifier)
}

interface Bound {
  readonly user: AdapterUser
  readonly email: string
  readonly expires: Date
}

/**
 * A token of a link that says for whom, for which emails and until when it is, so that the page can tell without using it up. It
 * ends with the first proof of the present email, which the owner of its mailbox may give.
 */
export async function tokenOf(secret: string, { user, email, expires }: Bound): Promise<string> {
  const bound = [idText(user.id), user.email ?? null, Boolean(user.emailVerified), email, expires.getTime()]
  return `${expires.getTime().toString(36)}.${await authenticate(secret, "change of email", JSON.stringify(bound))}`
}
