import { AccessDenied, AdapterError } from "../errors.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { Identity } from "../model/session-strategy.js"
import type { LinkDecision } from "../model/signin.js"
import { mutexOf } from "../primitives/state.js"
import { idText } from "../session/live-session.js"
import { type Decided, type Enrollable, enroll } from "./enroll.js"
import { type LinkTarget, assertHolder, assertLinkable, removeLink } from "./link.js"
import type { Identified } from "../model/proof-steps.js"

interface Resolution {
  readonly auth: AuthContext
  readonly adapter: Adapter
  readonly enrollable: Enrollable
  /** Sign-ins with one of the same keys run one after the other, since not every database has a unique index. */
  readonly keys: readonly string[]
  readonly owner: AdapterUser | null
  findOwner(): Promise<AdapterUser | null>
  /** The user who has the proven account or email once it's stored. */
  findHolder(): Promise<AdapterUser | null>
  decide(owner: AdapterUser | null): Promise<Decided>
}

/** Agrees with the database on who is signing in. */
export function resolveIdentity(resolution: Resolution): Promise<Identified> {
  const { auth, adapter, enrollable, keys, owner, findOwner, decide } = resolution
  return mutexOf(auth).runExclusive(keys, async () => {
    const decided = await decide(owner ?? (await findOwner()))
    try {
      return identified(resolution, decided, await enroll(auth, adapter, enrollable, decided))
    } catch (cause) {
      const again = await decideAgain(resolution, decided.decision, cause)
      return identified(resolution, again, await enroll(auth, adapter, enrollable, again))
    }
  })
}

/** How long another process may take from storing a user to storing the account, without a transaction. Milliseconds. */
const pauseMs = 100

/**
 * Account, email and session were read one after the other, and another process may have written in between. So what failed is
 * decided once more. If the decision is the same, the error stands.
 */
async function decideAgain(resolution: Resolution, first: LinkDecision, cause: unknown): Promise<Decided> {
  const { auth, adapter, enrollable, findOwner, findHolder, decide } = resolution
  if (first.kind === "resume") {
    // The application agreed to this user, so no other one may sign in.
    if (cause instanceof AdapterError) await assertHolder(enrollable.lost, first, findHolder)
    throw cause
  }
  if (enrollable.mayBeUnderway === true && adapter.transaction === undefined) await auth.runtime.sleep?.(pauseMs)
  const again = await decide(await findOwner())
  const { decision, reread } = again
  if (!isSameDecision(first, decision)) return again
  if (decision.kind === "link" && reread !== undefined) await assertLinkable(adapter, { user: decision.user, reread })
  throw cause
}

function isSameDecision(first: LinkDecision, second: LinkDecision): boolean {
  const userOf = (decision: LinkDecision) => ("user" in decision ? idText(decision.user.id) : undefined)
  return first.kind === second.kind && userOf(first) === userOf(second)
}

function identified(resolution: Resolution, { decision, reread, asked }: Decided, identity: Identity): Identified {
  const { auth, enrollable, findHolder } = resolution
  const assertHeld = () => assertHolder(enrollable.lost, identity, findHolder)
  if (decision.kind === "resume") return { identity, assertHolds: assertHeld }
  // Adapters over an index that lags may not find a new account, so it's only looked up if it can be taken over.
  const canLose = enrollable.link !== undefined && auth.security.reclaimMailbox && !isVerified(identity)
  if (decision.kind !== "link" || reread === undefined) {
    return canLose ? { identity, assertHolds: assertHeld } : { identity }
  }
  const target: LinkTarget = { user: decision.user, reread }
  return {
    identity,
    continued: asked,
    async assertHolds() {
      await assertLinked(resolution, target, identity)
      if (canLose) await assertHeld()
    },
  }
}

function isVerified({ user }: Identity): boolean {
  return "emailVerified" in user && Boolean(user.emailVerified)
}

/** The session that asked for the link may have ended after the link was stored. */
async function assertLinked(
  { auth, adapter, enrollable: { link } }: Resolution,
  target: LinkTarget,
  { account }: Identity,
): Promise<void> {
  if (link === undefined) return
  try {
    // A transaction reads what is stored. Outside of it, the adapter may read a replica that lags.
    if (adapter.transaction === undefined) await assertLinkable(adapter, target)
    else await adapter.transaction((inside) => assertLinkable(inside, target))
  } catch (cause) {
    if (!(cause instanceof AccessDenied)) throw cause
    const linked = { ...account, userId: target.user.id } as AdapterAccount
    await removeLink(adapter, linked, link.removeRest)
    await auth.events.unlinkAccount({ user: target.user, account: linked })
    throw cause
  }
}
