import { AdapterError, OAuthAccountNotLinked, OAuthCallbackError } from "../errors.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { EventCallbacks } from "../model/callbacks.js"
import type { Identity } from "../model/session-strategy.js"
import type { AccountProof, LinkDecision, MailboxProof } from "../model/signin.js"
import type { Account } from "../model/user.js"
import { emailInUse } from "./link.js"
import { keepTokens } from "./provider-tokens.js"
import { reclaim } from "./reclaim.js"

/** Tells the events of an enrolment: at once, or when a transaction has made it true. */
type Emit = <N extends "createUser" | "updateUser" | "linkAccount">(
  name: N,
  message: Parameters<NonNullable<EventCallbacks[N]>>[0],
) => Promise<void>

interface Enrolment {
  /** What the store may know of the account. */
  readonly kept: Account | undefined
  /** For the store to keep or replace. */
  readonly id: string
  readonly adapter: Adapter
  readonly emit: Emit
  readonly now: Date
  /** `security.reclaimMailbox` */
  readonly reclaims: boolean
}

/**
 * Makes a linking decision true in the adapter. All of it happens or none: in a transaction where the store has one,
 * by undoing the first step where it has not.
 *
 * @throws OAuthAccountNotLinked when the decision is a refusal
 * @throws AdapterError
 */
export async function enroll(
  auth: AuthContext,
  adapter: Adapter,
  proof: AccountProof | MailboxProof,
  decision: LinkDecision,
): Promise<Identity> {
  if (decision.kind === "refuse") throw refusal(auth, proof, decision)
  const kept = proof.kind === "account" ? await keepTokens(auth, proof.stored) : undefined
  const { reclaimMailbox: reclaims } = auth.security
  const common = { now: new Date(auth.runtime.now()), id: auth.runtime.uuid(), kept, reclaims }
  const told: (() => Promise<void>)[] = []
  const later: Emit = async (name, message) => void told.push(() => emitNow(auth)(name, message))
  const identity =
    adapter.transaction === undefined
      ? await carryOut({ adapter, emit: emitNow(auth), ...common }, proof, decision)
      : await adapter.transaction((inside) => carryOut({ adapter: inside, emit: later, ...common }, proof, decision))
  // A session that began while the transaction was under way was not there to be ended.
  if (reclaims && proof.kind === "mailbox" && isUnproven(decision)) await adapter.deleteSessions?.(identity.user.id)
  for (const tell of told) await tell()
  return identity
}

/** That an address has an account here is for its owner to know: who has not proven it gets an error that says nothing. */
function refusal(
  { security }: AuthContext,
  proof: AccountProof | MailboxProof,
  { reason }: Extract<LinkDecision, { kind: "refuse" }>,
): OAuthAccountNotLinked | OAuthCallbackError {
  const strange = proof.kind === "account" && proof.emailVerified !== true && reason === emailInUse
  const Kind = strange && security.linking === "explicit" ? OAuthCallbackError : OAuthAccountNotLinked
  return new Kind(`Signing in was refused: ${reason}`, { provider: proof.provider.id })
}

function emitNow({ events }: AuthContext): Emit {
  // One handler for three names: each message goes to the event it was made for.
  return async (name, message) => (events[name] as (message: unknown) => Promise<void> | undefined)(message)
}

type Accepted = Exclude<LinkDecision, { kind: "refuse" }>

function carryOut(enrolment: Enrolment, proof: AccountProof | MailboxProof, decision: Accepted): Promise<Identity> {
  return proof.kind === "account"
    ? enrollAccount(enrolment, proof, decision)
    : enrollMailbox(enrolment, proof, decision)
}

async function enrollMailbox(
  { adapter, emit, now, id, reclaims }: Enrolment,
  proof: MailboxProof,
  decision: Accepted,
): Promise<Identity> {
  const { account, email } = proof
  if (decision.kind === "create") {
    const user = known(await call(adapter, "createUser")({ id, email, emailVerified: now }), "createUser")
    await emit("createUser", { user })
    return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: true }
  }
  // Together with the proof: half of it would leave a user who can sign in with nothing.
  if (reclaims && isUnproven(decision)) await reclaim(adapter, decision.user.id)
  const user = known(await call(adapter, "updateUser")({ id: decision.user.id, emailVerified: now }), "updateUser")
  await emit("updateUser", { user })
  return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: false }
}

function isUnproven(decision: Accepted): boolean {
  return decision.kind !== "create" && !decision.user.emailVerified
}

async function enrollAccount(enrolment: Enrolment, proof: AccountProof, decision: Accepted): Promise<Identity> {
  const { account, profile } = proof
  const isNewUser = decision.kind === "create"
  const user = isNewUser ? await createUser(enrolment, proof) : decision.user
  if (decision.kind === "resume") await refreshTokens(enrolment, user)
  else await linkTo(enrolment, proof, user, isNewUser)
  return { user, account: { ...account, userId: user.id }, profile, isNewUser }
}

async function createUser(
  { adapter, emit, now }: Enrolment,
  { user, emailVerified }: AccountProof,
): Promise<AdapterUser> {
  // Stores that demand an address say so themselves; not every provider has one to give.
  const wanted = { ...user, emailVerified: emailVerified === true ? now : null } as AdapterUser
  try {
    const created = known(await call(adapter, "createUser")(wanted), "createUser")
    await emit("createUser", { user: created })
    return created
  } catch (cause) {
    await forget(adapter, user.id)
    throw cause
  }
}

/** The store may have done it before it failed; only a row with the very id that we drew is ours to remove. */
async function forget(adapter: Adapter, id: string): Promise<void> {
  try {
    if ((await adapter.getUser?.(id))?.id === id) await adapter.deleteUser?.(id)
  } catch {
    // The first fault is the one to tell.
  }
}

async function linkTo(
  { adapter, emit, kept }: Enrolment,
  proof: AccountProof,
  user: AdapterUser,
  isNewUser: boolean,
): Promise<void> {
  const account = { ...kept, userId: user.id } as AdapterAccount
  try {
    await call(adapter, "linkAccount")(account)
  } catch (cause) {
    // A user without an account would keep the address from its owner for ever.
    if (isNewUser) await undo(adapter, account)
    throw cause
  }
  await emit("linkAccount", { user, account, profile: proof.user })
}

/** The store may have linked before it failed; an account that somebody else holds is not ours to remove. */
async function undo(adapter: Adapter, { provider, providerAccountId, userId }: AdapterAccount): Promise<void> {
  try {
    const owner = await adapter.getUserByAccount?.({ provider, providerAccountId })
    if (owner?.id === userId) await adapter.unlinkAccount?.({ provider, providerAccountId })
  } catch {
    // The user is more important.
  }
  try {
    await adapter.deleteUser?.(userId)
  } catch {
    // The first fault is the one to tell.
  }
}

/** What the provider gave last is what works: stale tokens help nobody. */
async function refreshTokens({ adapter, kept }: Enrolment, user: AdapterUser): Promise<void> {
  await adapter.updateAccount?.({ ...kept, userId: user.id } as AdapterAccount)
}

/** Not every adapter is checked by a compiler: a session for `undefined` must not begin. */
function known(user: AdapterUser | null | undefined, method: string): AdapterUser {
  if (user?.id !== undefined && user.id !== null) return user
  throw new AdapterError(`The adapter returned no user from ${method}: return the stored row`)
}

function call<M extends "createUser" | "updateUser" | "linkAccount">(
  adapter: Adapter,
  method: M,
): NonNullable<Adapter[M]> {
  const found = adapter[method]
  if (found === undefined) throw new AdapterError(`The adapter has no ${method}: use one that implements it`)
  return found
}
