import { AccountNotLinked, AdapterError, OAuthAccountNotLinked, OAuthCallbackError } from "../errors.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { EventCallbacks } from "../model/callbacks.js"
import type { Identity } from "../model/session-strategy.js"
import type { AccountProof, LinkDecision, MailboxProof, NewPasskey, PasskeyProof } from "../model/signin.js"
import type { Account } from "../model/user.js"
import { mutexOf } from "../primitives/keyed-mutex.js"
import { emailInUse } from "./link.js"
import { keepTokens } from "./provider-tokens.js"

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
}

/** A proof after which something may be stored. */
type StoredProof = AccountProof | MailboxProof | NewPasskeyProof

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
  decision: LinkDecision,
): Promise<Identity> {
  if (decision.kind === "refuse") throw refusal(auth, proof, decision)
  const kept = await keptAccount(auth, proof)
  const { reclaimMailbox: reclaims } = auth.security
  const common = { now: new Date(auth.runtime.now()), id: auth.runtime.uuid(), kept, reclaims }
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

async function enrollMailbox(
  { adapter, emit, now, id, reclaims }: Enrollment,
  proof: MailboxProof,
  decision: Accepted,
): Promise<Identity> {
  const { account, email } = proof
  if (decision.kind === "create") {
    const user = known(await call(adapter, "createUser")({ id, email, emailVerified: now }), "createUser")
    await emit("createUser", { user })
    return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: true }
  }
  // In the same transaction as the update: half of it would leave a user without any way to sign in.
  if (reclaims && isUnproven(decision)) await reclaim(adapter, decision.user.id)
  const user = known(await call(adapter, "updateUser")({ id: decision.user.id, emailVerified: now }), "updateUser")
  await emit("updateUser", { user })
  return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: false }
}

function isUnproven(decision: Accepted): boolean {
  return decision.kind !== "create" && !decision.user.emailVerified
}

async function enrollAccount(enrollment: Enrollment, proof: AccountProof, decision: Accepted): Promise<Identity> {
  const { account, profile } = proof
  const isNewUser = decision.kind === "create"
  const user = isNewUser ? await createUser(enrollment, proof) : decision.user
  if (decision.kind === "resume") await refreshTokens(enrollment, user)
  else await linkTo(enrollment, proof, user, isNewUser)
  return { user, account: { ...account, userId: user.id }, profile, isNewUser }
}

async function enrollPasskey(enrollment: Enrollment, proof: NewPasskeyProof, decision: Accepted): Promise<Identity> {
  const { account } = proof
  const isNewUser = decision.kind === "create"
  const user = isNewUser ? await createUser(enrollment, { ...proof, emailVerified: false }) : decision.user
  await linkTo(enrollment, proof, user, isNewUser)
  return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser }
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

async function linkTo(
  { adapter, emit, kept }: Enrollment,
  proof: AccountProof | NewPasskeyProof,
  user: AdapterUser,
  isNewUser: boolean,
): Promise<void> {
  const account = { ...kept, userId: user.id } as AdapterAccount
  try {
    if (proof.kind === "account") await call(adapter, "linkAccount")(account)
    else await linkPasskey(adapter, proof, account)
  } catch (cause) {
    // A user without an account would block the email for its owner, and an account without a passkey can't sign in.
    if (isNewUser || proof.kind === "passkey") await undo(adapter, account, isNewUser)
    throw cause
  }
  await emit("linkAccount", { user, account, profile: proof.user })
}

async function linkPasskey(adapter: Adapter, { passkey }: NewPasskeyProof, account: AdapterAccount): Promise<void> {
  const { userId } = account
  const linkAccount = call(adapter, "linkAccount")
  try {
    await linkAccount(account)
  } catch {
    // Auth.js v5 stores no user handle, so a database may lack its column. The handle is only an additional check.
    const { session_state: _, ...withoutHandle } = account
    await linkAccount(withoutHandle)
  }
  try {
    await call(adapter, "createAuthenticator")({ ...passkey.authenticator, userId })
  } catch (cause) {
    if (!(await isStored(adapter, passkey, userId))) throw cause
  }
}

/** The database may have stored the passkey before it failed. An adapter has no method to delete it. */
async function isStored(adapter: Adapter, { authenticator }: NewPasskey, userId: string): Promise<boolean> {
  try {
    const stored = await adapter.getAuthenticator?.(authenticator.credentialID)
    return stored?.credentialID === authenticator.credentialID && stored.userId === userId
  } catch {
    // Report the first error, not this one.
    return false
  }
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

function call<M extends "createUser" | "updateUser" | "linkAccount" | "createAuthenticator">(
  adapter: Adapter,
  method: M,
): NonNullable<Adapter[M]> {
  const found = adapter[method]
  if (found === undefined) throw new AdapterError(`The adapter has no ${method}. Use an adapter that implements it`)
  return found
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

interface Resolution {
  readonly auth: AuthContext
  readonly adapter: Adapter
  readonly proof: StoredProof
  /** Sign-ins with one of the same keys run one after the other, since not every database has a unique index. */
  readonly keys: readonly string[]
  readonly owner: AdapterUser | null
  findOwner(): Promise<AdapterUser | null>
  decide(owner: AdapterUser | null): Promise<LinkDecision>
}

/** Agrees with the database on who is signing in. */
export function resolveIdentity(resolution: Resolution): Promise<Identity> {
  const { auth, adapter, proof, keys, owner, findOwner, decide } = resolution
  return mutexOf(auth).runExclusive(keys, async () => {
    const decision = await decide(owner ?? (await findOwner()))
    try {
      return await enroll(auth, adapter, proof, decision)
    } catch (cause) {
      // Another process may have created the same user a moment ago. Then the rules for an existing user apply.
      if (!(cause instanceof AdapterError) || decision.kind !== "create") throw cause
      const second = await decide(await findOwner())
      if (second.kind === "create") throw cause
      return enroll(auth, adapter, proof, second)
    }
  })
}
