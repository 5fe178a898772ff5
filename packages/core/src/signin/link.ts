import { AccessDenied, AdapterError, type AuthError } from "../errors.js"
import { isSameMailbox } from "./stored-users.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { Identity, LiveSession } from "../model/session-strategy.js"
import type { Facts, LinkDecision } from "../model/signin.js"
import type { User } from "../model/user.js"
import { idText, isRecentSignIn } from "../session/live-session.js"

export const emailInUse = "another user has the same email"

/** Whose the proven account is from now on. link.test.ts has every row of this table. */
export function decideLink({ owner, current, sameEmail, trustsEmail }: Facts): LinkDecision {
  if (owner !== null) {
    return current === null || current.id === owner.id ? resume(owner) : refuse("the account belongs to another user")
  }
  if (current !== null) return link(current)
  if (sameEmail === null) return { kind: "create" }
  return trustsEmail ? link(sameEmail) : refuse(emailInUse)
}

const resume = (user: AdapterUser): LinkDecision => ({ kind: "resume", user })
const link = (user: AdapterUser): LinkDecision => ({ kind: "link", user })
const refuse = (reason: string): LinkDecision => ({ kind: "refuse", reason })

/** What is linked to a user: an account, or an account and what belongs to it. */
export interface LinkParts {
  /** For the event. */
  readonly profile: User
  add(adapter: Adapter, account: AdapterAccount): Promise<void>
  /** Removes what `add` stores beside the account. Without it, the account could be linked but not used. */
  removeRest?(adapter: Adapter, account: AdapterAccount): Promise<void>
}

/**
 * Removes an account that was just linked, if it belongs to this user.
 *
 * @param removeRest removes what was stored beside the account
 */
export async function removeLink(
  adapter: Adapter,
  account: AdapterAccount,
  removeRest: LinkParts["removeRest"],
): Promise<void> {
  await removeRest?.(adapter, account)
  const { provider, providerAccountId, userId } = account
  const owner = await adapter.getUserByAccount?.({ provider, providerAccountId })
  if (owner === null || (owner !== undefined && idText(owner.id) !== idText(userId))) return
  if (adapter.unlinkAccount === undefined) {
    throw new AdapterError(
      "An account that may not be linked can't be removed: the adapter has no unlinkAccount. Add it",
    )
  }
  await adapter.unlinkAccount({ provider, providerAccountId })
}

/** @throws what `lost` returns, if the user lost what was proven during the sign-in */
export async function assertHolder(
  lost: () => AuthError,
  { user }: Pick<Identity, "user">,
  findHolder: () => Promise<AdapterUser | null>,
): Promise<void> {
  if (idText((await findHolder())?.id ?? "") !== idText(user.id)) throw lost()
}

export function accountLost(): AccessDenied {
  return new AccessDenied(
    "The account no longer belongs to the user: it was unlinked during this sign-in, or the owner of the email verified it",
  )
}

export function assertRecentSignIn({ runtime }: AuthContext, live: LiveSession | null): void {
  if (isRecentSignIn(live?.authenticatedAt, runtime.now())) return
  throw new AccessDenied("Linking an account needs a recent sign-in. Sign in again first")
}

/** The user of a linking decision. */
export interface LinkTarget {
  /** As they were when the decision was made. */
  readonly user: AdapterUser
  /** Reads them again. `null`: the session that asked for the link has ended. */
  reread(adapter: Adapter): Promise<AdapterUser | null>
}

/** @throws AccessDenied if the user lost their session or the email to someone else after the decision */
export async function assertLinkable(adapter: Adapter, { user, reread }: LinkTarget): Promise<void> {
  const now = await reread(adapter)
  if (now !== null && isSameMailbox(user, now)) return
  throw new AccessDenied(
    "During this sign-in, the session that asked for the link ended, or the email of the user changed. Sign in again",
  )
}
