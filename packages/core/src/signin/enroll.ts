import { AccessDenied, AccountNotLinked, AdapterError, OAuthAccountNotLinked, OAuthCallbackError } from "../errors.js"
import { sameMailbox } from "../http/email-address.js"
import { lockUser, userWithEmail } from "./stored-users.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { EventCallbacks } from "../model/callbacks.js"
import type { Identity, LiveSession } from "../model/session-strategy.js"
import type { AccountProof, LinkDecision, MailboxProof, NewPasskey, PasskeyProof } from "../model/signin.js"
import type { Account } from "../model/user.js"
import { idText } from "../session/live-session.js"
import { call, linkPasskey } from "../features/passkeys/link-passkey.js"
import { type LinkTarget, assertLinkable, emailInUse, emailReplaced, removeLink } from "./link.js"
import type { ResolvedUser } from "./steps.js"
import { keepTokens } from "../features/oauth/provider-tokens.js"

/** Emits an event: at once, or after the transaction that it belongs to. */
type Emit = <N extends "createUser" | "updateUser" | "linkAccount">(
  name: N,
  message: Parameters<NonNullable<EventCallbacks[N]>>[0],
) => Promise<void>

interface Enrollment {
  /** The account with the tokens that may be stored. */
  readonly kept: Account | undefined
  /** A user id. The adapter may use its own instead. */
  readonly id: string
  readonly adapter: Adapter
  readonly emit: Emit
  readonly now: Date
  /** `security.reclaimMailbox` */
  readonly reclaims: boolean
  readonly isTransaction: boolean
  readonly reread: Decided["reread"]
}

/** A decision, and how to read the user of a link again. */
export interface Decided {
  readonly decision: LinkDecision
  /** Set if the decision may be a link. */
  readonly reread?: LinkTarget["reread"]
  /** The session whose user asked for the link. */
  readonly asked?: LiveSession | undefined
}

/** A proof after which something may be stored. */
export type StoredProof = LinkProof | MailboxProof

/** A proof of something that is linked to a user. */
export type LinkProof = AccountProof | NewPasskeyProof

export type NewPasskeyProof = PasskeyProof & { readonly passkey: NewPasskey }

/**
 * Stores a linking decision, all of it or nothing: in a transaction if the adapter has them, otherwise by undoing the
 * steps before the one that fails.
 *
 * @throws OAuthAccountNotLinked or AccountNotLinked if the decision is a refusal
 * @throws AdapterError
 */
export async function enroll(
  auth: AuthContext,
  adapter: Adapter,
  proof: StoredProof,
  { decision, reread }: Decided,
): Promise<Identity> {
  if (decision.kind === "refuse") throw refusal(auth, proof, decision)
  const kept = await keptAccount(auth, proof)
  const { reclaimMailbox: reclaims } = auth.security
  const isTransaction = adapter.transaction !== undefined
  const common = { now: new Date(auth.runtime.now()), id: auth.runtime.uuid(), kept, reclaims, isTransaction, reread }
  const queued: (() => Promise<void>)[] = []
  const emitLater: Emit = async (name, message) => void queued.push(() => emitNow(auth)(name, message))
  const identity =
    adapter.transaction === undefined
      ? await carryOut({ adapter, emit: emitNow(auth), ...common }, proof, decision)
      : await adapter.transaction((inside) => {
          // After a conflict with another transaction, the adapter runs this again.
          queued.length = 0
          return carryOut({ adapter: inside, emit: emitLater, ...common }, proof, decision)
        })
  // A session that started during the transaction escaped it.
  if (reclaims && proof.kind === "mailbox" && isUnproven(decision)) {
    await adapter.deleteSessions?.(identity.user.id)
    await auth.https.sessions.endAll(identity.user.id)
  }
  for (const emit of queued) await emit()
  return identity
}

async function keptAccount(auth: AuthContext, proof: StoredProof): Promise<Account | undefined> {
  if (proof.kind === "passkey") return proof.passkey.stored
  return proof.kind === "account" ? keepTokens(auth, proof.stored) : undefined
}

/** The user of a decision, before it's stored. @throws AuthError if the decision is a refusal */
export function decidedUser(auth: AuthContext, proof: StoredProof, { decision, asked }: Decided): ResolvedUser {
  if (decision.kind === "refuse") throw refusal(auth, proof, decision)
  const isContinued = decision.kind === "link" && asked !== undefined
  if (decision.kind !== "create") return { user: decision.user, isNewUser: false, isContinued }
  if (proof.kind !== "mailbox") return { user: proof.user, isNewUser: true }
  const { account, email } = proof
  return { user: { id: account.providerAccountId, email }, isNewUser: true }
}

/** Under `"explicit"`, a visitor who hasn't verified an email doesn't learn that it has an account here. */
function refusal(
  { security }: AuthContext,
  proof: StoredProof,
  { reason }: Extract<LinkDecision, { kind: "refuse" }>,
): AccountNotLinked | OAuthAccountNotLinked | OAuthCallbackError {
  if (proof.kind === "passkey") {
    return new AccountNotLinked(`The passkey was refused because ${reason}`, { provider: proof.provider.id })
  }
  const isUnverified = proof.kind === "account" && proof.emailVerified !== true && reason === emailInUse
  const Kind = isUnverified && security.linking === "explicit" ? OAuthCallbackError : OAuthAccountNotLinked
  return new Kind(`The sign-in was refused because ${reason}`, { provider: proof.provider.id })
}

function emitNow({ events }: AuthContext): Emit {
  // TypeScript can't relate the name and the message of a union; `Emit` already did.
  return async (name, message) => (events[name] as (message: unknown) => Promise<void> | undefined)(message)
}

type Accepted = Exclude<LinkDecision, { kind: "refuse" }>

function carryOut(enrollment: Enrollment, proof: StoredProof, decision: Accepted): Promise<Identity> {
  switch (proof.kind) {
    case "account":
      return enrollAccount(enrollment, proof, decision)
    case "mailbox":
      return enrollMailbox(enrollment, proof, decision)
    case "passkey":
      return enrollPasskey(enrollment, proof, decision)
  }
}

async function enrollMailbox(enrollment: Enrollment, proof: MailboxProof, decision: Accepted): Promise<Identity> {
  const { adapter, emit, now, id } = enrollment
  const { account, email } = proof
  if (decision.kind === "create") {
    const user = known(await call(adapter, "createUser")({ id, email, emailVerified: now }), "createUser")
    await emit("createUser", { user })
    return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: true }
  }
  const before = await presentOwner(enrollment, email, decision.user)
  // In the same transaction as the update: half of it would leave a user without any way to sign in.
  if (enrollment.reclaims && !before.emailVerified) await reclaim(adapter, before.id)
  const user = known(await call(adapter, "updateUser")({ id: before.id, emailVerified: now }), "updateUser")
  assertEmail(user, email)
  await emit("updateUser", { user })
  return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: false }
}

/** The owner of the mailbox was looked up before the application was asked. */
async function presentOwner(
  { adapter, isTransaction, reclaims }: Enrollment,
  email: string,
  user: AdapterUser,
): Promise<AdapterUser> {
  // Nothing to lock or to read: the update is undone if its result has another email.
  if (isTransaction && !(reclaims && !user.emailVerified)) return user
  const before = isTransaction ? await lockUser(adapter, user) : await userWithEmail(adapter, email)
  if (before === null || (before !== undefined && idText(before.id) !== idText(user.id))) throw emailReplaced()
  if (before === undefined) return user
  assertEmail(before, email)
  return before
}

/** Some adapters return only a part of the user. */
function assertEmail({ email }: Partial<AdapterUser>, proven: string): void {
  if (email !== undefined && !sameMailbox(email, proven)) throw emailReplaced()
}

function isUnproven(decision: Accepted): boolean {
  return decision.kind !== "create" && !decision.user.emailVerified
}

async function enrollAccount(enrollment: Enrollment, proof: AccountProof, decision: Accepted): Promise<Identity> {
  const { account, profile } = proof
  const isNewUser = decision.kind === "create"
  if (decision.kind === "link") await lockTarget(enrollment, decision.user)
  const user = isNewUser ? await createUser(enrollment, proof) : decision.user
  if (decision.kind === "resume") await refreshTokens(enrollment, user)
  else await linkTo(enrollment, proof, user, isNewUser)
  return { user, account: { ...account, userId: user.id }, profile, isNewUser }
}

async function enrollPasskey(enrollment: Enrollment, proof: NewPasskeyProof, decision: Accepted): Promise<Identity> {
  const { account } = proof
  const isNewUser = decision.kind === "create"
  if (decision.kind === "link") await lockTarget(enrollment, decision.user)
  const user = isNewUser ? await createUser(enrollment, { ...proof, emailVerified: false }) : decision.user
  await linkTo(enrollment, proof, user, isNewUser)
  return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser }
}

/** The owner of the email may take the account over at the same time. */
async function lockTarget({ adapter, isTransaction }: Enrollment, user: AdapterUser): Promise<void> {
  if (isTransaction) await lockUser(adapter, user)
}

async function createUser(
  { adapter, emit, now }: Enrollment,
  { user, emailVerified }: Pick<AccountProof, "user" | "emailVerified">,
): Promise<AdapterUser> {
  // Not every provider sends an email. A database that requires one reports that itself.
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

/** The database may have created the user before it failed. Only a row with our random id is safe to delete. */
async function forget(adapter: Adapter, id: string): Promise<void> {
  try {
    if ((await adapter.getUser?.(id))?.id === id) await adapter.deleteUser?.(id)
  } catch {
    // Report the first error, not this one.
  }
}

async function linkTo(enrollment: Enrollment, proof: LinkProof, user: AdapterUser, isNewUser: boolean): Promise<void> {
  const { adapter, emit, kept, reread, isTransaction } = enrollment
  const account = { ...kept, userId: user.id } as AdapterAccount
  let isTaken = false
  try {
    await storeLink(adapter, proof, account)
    if (isNewUser) isTaken = await isTakenOver(enrollment, user)
  } catch (cause) {
    // A user without an account would block the email for its owner, and an account without a passkey can't sign in.
    if (isNewUser || proof.kind === "passkey") await undo(adapter, account, isNewUser)
    throw cause
  }
  try {
    if (isTaken) throw new AccessDenied("The owner of the email verified it during this sign-up, and has the user now")
    if (!isNewUser && reread !== undefined) await assertLinkable(adapter, { user, reread })
  } catch (cause) {
    // A transaction is rolled back.
    if (!isTransaction) await removeLink(adapter, passkeyIn(proof), account)
    throw cause
  }
  await emit("linkAccount", { user, account, profile: proof.user })
}

async function storeLink(adapter: Adapter, proof: LinkProof, account: AdapterAccount): Promise<void> {
  if (proof.kind === "account") await call(adapter, "linkAccount")(account)
  else await linkPasskey(adapter, proof.passkey, account)
}

/** Without a transaction, the owner of the email can take a new user over before the account is linked. */
async function isTakenOver({ adapter, reclaims, isTransaction }: Enrollment, user: AdapterUser): Promise<boolean> {
  if (isTransaction || !reclaims || user.emailVerified) return false
  return Boolean((await adapter.getUser?.(user.id))?.emailVerified)
}

export function passkeyIn(proof: LinkProof): NewPasskey | undefined {
  return proof.kind === "passkey" ? proof.passkey : undefined
}

/** The database may have linked the account before it failed. Unlink it only if it belongs to this user. */
async function undo(
  adapter: Adapter,
  { provider, providerAccountId, userId }: AdapterAccount,
  isNewUser: boolean,
): Promise<void> {
  try {
    const owner = await adapter.getUserByAccount?.({ provider, providerAccountId })
    if (owner?.id === userId) await adapter.unlinkAccount?.({ provider, providerAccountId })
  } catch {
    // Deleting the user matters more.
  }
  if (!isNewUser) return
  try {
    await adapter.deleteUser?.(userId)
  } catch {
    // Report the first error, not this one.
  }
}

async function refreshTokens({ adapter, kept }: Enrollment, user: AdapterUser): Promise<void> {
  await adapter.updateAccount?.({ ...kept, userId: user.id } as AdapterAccount)
}

/** An adapter written in JavaScript may return nothing, and a session for `undefined` must not start. */
function known(user: AdapterUser | null | undefined, method: string): AdapterUser {
  if (user?.id !== undefined && user.id !== null) return user
  throw new AdapterError(`The adapter returned no user from ${method}. Return the stored row`)
}

/**
 * Removes what an earlier holder of an unverified email put into the account, so that an attacker can't prepare an account
 * for the owner of the email (pre-account hijacking).
 */
async function reclaim(adapter: Adapter, userId: string): Promise<void> {
  await adapter.deleteSessions?.(userId)
  for (const { provider, providerAccountId } of (await adapter.listAccounts?.(userId)) ?? []) {
    await adapter.unlinkAccount?.({ provider, providerAccountId })
  }
}
