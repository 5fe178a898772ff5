import { AccessDenied, AdapterError, Verification } from "../errors.js"
import { isSameMailbox } from "./stored-users.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { Identity } from "../model/session-strategy.js"
import type { Facts, LinkDecision, NewPasskey, Proof } from "../model/signin.js"
import { idText } from "../session/live-session.js"
import { isStored } from "../features/passkeys/link-passkey.js"

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

/** The user with a mailbox's email is its owner. */
export function decideMailbox(owner: AdapterUser | null): LinkDecision {
  return owner === null ? { kind: "create" } : resume(owner)
}

const resume = (user: AdapterUser): LinkDecision => ({ kind: "resume", user })
const link = (user: AdapterUser): LinkDecision => ({ kind: "link", user })
const refuse = (reason: string): LinkDecision => ({ kind: "refuse", reason })

/** Removes an account or passkey that was just linked, if it belongs to this user. */
export async function removeLink(
  adapter: Adapter,
  passkey: NewPasskey | undefined,
  { provider, providerAccountId, userId }: AdapterAccount,
): Promise<void> {
  if (passkey !== undefined) {
    const { credentialID } = passkey.authenticator
    if (await isStored(adapter, credentialID, userId)) await adapter.deleteAuthenticator?.(credentialID)
  }
  const owner = await adapter.getUserByAccount?.({ provider, providerAccountId })
  if (owner === null || (owner !== undefined && idText(owner.id) !== idText(userId))) return
  if (adapter.unlinkAccount === undefined) {
    throw new AdapterError(
      "An account that may not be linked can't be removed: the adapter has no unlinkAccount. Add it",
    )
  }
  await adapter.unlinkAccount({ provider, providerAccountId })
}

/** @throws AccessDenied or Verification if the user lost what was proven during the sign-in */
export async function assertHolder(
  { kind }: Pick<Proof, "kind">,
  { user }: Pick<Identity, "user">,
  findHolder: () => Promise<AdapterUser | null>,
): Promise<void> {
  if (idText((await findHolder())?.id ?? "") === idText(user.id)) return
  if (kind === "mailbox") throw emailReplaced()
  throw new AccessDenied(
    "The account no longer belongs to the user: it was unlinked during this sign-in, or the owner of the email verified it",
  )
}

export function emailReplaced(): Verification {
  return new Verification("The email of the user was changed during this sign-in. Request a link to the present one", {
    hasInvite: false,
    expired: false,
  })
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
