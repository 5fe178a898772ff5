import { AccessDenied, Verification } from "../errors.js"
import { isSameMailbox } from "../methods/stored-users.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { Identity } from "../model/session-strategy.js"
import type { Proof } from "../model/signin.js"
import { idText } from "../session/live-session.js"

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
