import { AdapterError, OAuthAccountNotLinked, OAuthCallbackError } from "../errors.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { Auth } from "../model/auth.js"
import type { EventCallbacks } from "../model/callbacks.js"
import type { AccountProof, Identity, LinkDecision, MailboxProof } from "../model/signin.js"
import type { Account } from "../model/user.js"
import { emailInUse } from "./link.js"
import { keepTokens } from "./provider-tokens.js"
import { reclaim } from "./reclaim.js"

/** Tells the events of an enrolment: at once, or when a transaction has made it true. */
type Tell = <N extends "createUser" | "updateUser" | "linkAccount">(
  name: N,
  message: Parameters<NonNullable<EventCallbacks[N]>>[0],
) => Promise<void>

interface Enrolment {
  /** What the store may know of the account. */
  readonly kept: Account | undefined
  /** For the store to keep or replace. */
  readonly id: string
  readonly store: Adapter
  readonly tell: Tell
  readonly now: Date
  /** `security.reclaimMailbox` */
  readonly reclaims: boolean
}

/**
 * Makes a linking decision true in the store. All of it happens or none: in a transaction where the store has one,
 * by undoing the first step where it has not.
 *
 * @throws OAuthAccountNotLinked when the decision is a refusal
 * @throws AdapterError
 */
export async function enroll(
  auth: Auth,
  store: Adapter,
  proof: AccountProof | MailboxProof,
  decision: LinkDecision,
): Promise<Identity> {
  if (decision.kind === "refuse") throw refusal(auth, proof, decision)
  const kept = proof.kind === "account" ? await keepTokens(auth, proof.stored) : undefined
  const { reclaimMailbox: reclaims } = auth.security
  const common = { now: new Date(auth.runtime.now()), id: auth.runtime.uuid(), kept, reclaims }
  const told: (() => Promise<void>)[] = []
  const later: Tell = async (name, message) => void told.push(() => tellNow(auth)(name, message))
  const identity =
    store.transaction === undefined
      ? await carryOut({ store, tell: tellNow(auth), ...common }, proof, decision)
      : await store.transaction((inside) => carryOut({ store: inside, tell: later, ...common }, proof, decision))
  // A session that began while the transaction was under way was not there to be ended.
  if (reclaims && proof.kind === "mailbox" && isUnproven(decision)) await store.deleteSessions?.(identity.user.id)
  for (const tell of told) await tell()
  return identity
}

/** That an address has an account here is for its owner to know: who has not proven it gets an error that says nothing. */
function refusal(
  { security }: Auth,
  proof: AccountProof | MailboxProof,
  { reason }: Extract<LinkDecision, { kind: "refuse" }>,
): OAuthAccountNotLinked | OAuthCallbackError {
  const strange = proof.kind === "account" && proof.emailVerified !== true && reason === emailInUse
  const Kind = strange && security.linking === "explicit" ? OAuthCallbackError : OAuthAccountNotLinked
  return new Kind(`Signing in was refused: ${reason}`, { provider: proof.provider.id })
}

function tellNow({ events }: Auth): Tell {
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
  { store, tell, now, id, reclaims }: Enrolment,
  proof: MailboxProof,
  decision: Accepted,
): Promise<Identity> {
  const { account, email } = proof
  if (decision.kind === "create") {
    const user = known(await call(store, "createUser")({ id, email, emailVerified: now }), "createUser")
    await tell("createUser", { user })
    return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: true }
  }
  // Together with the proof: half of it would leave a user who can sign in with nothing.
  if (reclaims && isUnproven(decision)) await reclaim(store, decision.user.id)
  const user = known(await call(store, "updateUser")({ id: decision.user.id, emailVerified: now }), "updateUser")
  await tell("updateUser", { user })
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
  { store, tell, now }: Enrolment,
  { user, emailVerified }: AccountProof,
): Promise<AdapterUser> {
  // Stores that demand an address say so themselves; not every provider has one to give.
  const wanted = { ...user, emailVerified: emailVerified === true ? now : null } as AdapterUser
  try {
    const created = known(await call(store, "createUser")(wanted), "createUser")
    await tell("createUser", { user: created })
    return created
  } catch (cause) {
    await forget(store, user.id)
    throw cause
  }
}

/** The store may have done it before it failed; only a row with the very id that we drew is ours to remove. */
async function forget(store: Adapter, id: string): Promise<void> {
  try {
    if ((await store.getUser?.(id))?.id === id) await store.deleteUser?.(id)
  } catch {
    // The first fault is the one to tell.
  }
}

async function linkTo(
  { store, tell, kept }: Enrolment,
  proof: AccountProof,
  user: AdapterUser,
  isNewUser: boolean,
): Promise<void> {
  const account = { ...kept, userId: user.id } as AdapterAccount
  try {
    await call(store, "linkAccount")(account)
  } catch (cause) {
    // A user without an account would keep the address from its owner for ever.
    if (isNewUser) await undo(store, account)
    throw cause
  }
  await tell("linkAccount", { user, account, profile: proof.user })
}

/** The store may have linked before it failed; an account that somebody else holds is not ours to remove. */
async function undo(store: Adapter, { provider, providerAccountId, userId }: AdapterAccount): Promise<void> {
  try {
    const owner = await store.getUserByAccount?.({ provider, providerAccountId })
    if (owner?.id === userId) await store.unlinkAccount?.({ provider, providerAccountId })
  } catch {
    // The user is more important.
  }
  try {
    await store.deleteUser?.(userId)
  } catch {
    // The first fault is the one to tell.
  }
}

/** What the provider gave last is what works: stale tokens help nobody. */
async function refreshTokens({ store, kept }: Enrolment, user: AdapterUser): Promise<void> {
  await store.updateAccount?.({ ...kept, userId: user.id } as AdapterAccount)
}

/** Not every adapter is checked by a compiler: a session for `undefined` must not begin. */
function known(user: AdapterUser | null | undefined, method: string): AdapterUser {
  if (user?.id !== undefined && user.id !== null) return user
  throw new AdapterError(`The adapter returned no user from ${method}: return the stored row`)
}

function call<M extends "createUser" | "updateUser" | "linkAccount">(
  store: Adapter,
  method: M,
): NonNullable<Adapter[M]> {
  const found = store[method]
  if (found === undefined) throw new AdapterError(`The adapter has no ${method}: use one that implements it`)
  return found
}
