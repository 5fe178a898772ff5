import { AccessDenied, AdapterError, type AuthError } from "../errors.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { EventCallbacks, NewUserFields } from "../model/callbacks.js"
import type { Identity, LiveSession } from "../model/session-strategy.js"
import type { LinkDecision } from "../model/signin.js"
import type { Account, User } from "../model/user.js"
import { assertEnabled } from "../revoke/disabled.js"
import { type LinkParts, type LinkTarget, assertLinkable, emailInUse, removeLink } from "./link.js"
import type { ResolvedUser } from "../model/proof-steps.js"
import { type SignUpParams, askSignUp } from "./sign-up.js"
import { lockUser } from "./stored-users.js"

/** Emits an event: at once, or after the transaction that it belongs to. */
type Emit = <N extends "createUser" | "updateUser" | "linkAccount">(
  name: N,
  message: Parameters<NonNullable<EventCallbacks[N]>>[0],
) => Promise<void>

export interface Enrollment {
  /** The account as it may be stored. */
  readonly kept: Account | undefined
  /** A user id. The adapter may use its own instead. */
  readonly id: string
  /** What the `signUp` callback adds to a new user. */
  readonly added: NewUserFields
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

export type Accepted = Exclude<LinkDecision, { kind: "refuse" }>
export type Refused = Extract<LinkDecision, { kind: "refuse" }>

/** How a proof is stored. */
export interface Enrollable {
  /** The user of a decision to create one, before it's stored. */
  readonly newUser: User & { readonly id: string }
  /** Another process may be about to link the same, to a user whom it has stored already. */
  readonly mayBeUnderway?: boolean
  /** What is linked to the user. `undefined`: nothing, a mailbox is the user's already. */
  readonly link?: LinkParts | undefined
  /** The account as it may be stored. */
  kept?(): Promise<Account>
  refusal(refused: Refused): AuthError
  /** What the `signUp` callback gets. */
  signUpParams(): SignUpParams
  /** The error if the user lost what was proven, during the sign-in. */
  lost(): AuthError
  store(enrollment: Enrollment, decision: Accepted): Promise<Identity>
  /** After the transaction, if there was one. */
  afterwards?(identity: Identity, decision: Accepted): Promise<void>
}

/**
 * Stores a linking decision, all of it or nothing: in a transaction if the adapter has them, otherwise by undoing the
 * steps before the one that fails.
 *
 * @throws AuthError if the decision is a refusal
 * @throws AdapterError
 */
export async function enroll(
  auth: AuthContext,
  adapter: Adapter,
  enrollable: Enrollable,
  { decision, reread }: Decided,
): Promise<Identity> {
  if (decision.kind === "refuse") throw await refusalOf(auth, enrollable, decision)
  if (decision.kind === "link") await assertEnabled(auth, decision.user.id)
  const added = decision.kind === "create" ? await askSignUp(auth, enrollable.signUpParams) : {}
  const kept = await enrollable.kept?.()
  const { reclaimMailbox: reclaims } = auth.security
  const isTransaction = adapter.transaction !== undefined
  const common = {
    now: new Date(auth.runtime.now()),
    id: auth.runtime.uuid(),
    added,
    kept,
    reclaims,
    isTransaction,
    reread,
  }
  const queued: (() => Promise<void>)[] = []
  const emitLater: Emit = async (name, message) => void queued.push(() => emitNow(auth)(name, message))
  const identity =
    adapter.transaction === undefined
      ? await enrollable.store({ adapter, emit: emitNow(auth), ...common }, decision)
      : await adapter.transaction((inside) => {
          // After a conflict with another transaction, the adapter runs this again.
          queued.length = 0
          return enrollable.store({ adapter: inside, emit: emitLater, ...common }, decision)
        })
  await enrollable.afterwards?.(identity, decision)
  for (const emit of queued) await emit()
  return identity
}

/**
 * The application is asked as for a new user, because a refusal for another reason would tell a visitor who hasn't proven the email
 * that it has a user.
 */
async function refusalOf(auth: AuthContext, enrollable: Enrollable, refused: Refused): Promise<AuthError> {
  if (refused.reason === emailInUse) await askSignUp(auth, enrollable.signUpParams)
  return enrollable.refusal(refused)
}

/** The user of a decision, before it's stored. */
export function decidedUser(auth: AuthContext, enrollable: Enrollable, { decision, asked }: Decided): ResolvedUser {
  if (decision.kind === "refuse") {
    const refusal = () => refusalOf(auth, enrollable, decision)
    return { user: enrollable.newUser, isNewUser: true, refusal }
  }
  if (decision.kind === "create") return { user: enrollable.newUser, isNewUser: true }
  return { user: decision.user, isNewUser: false, isContinued: decision.kind === "link" && asked !== undefined }
}

function emitNow({ events }: AuthContext): Emit {
  // TypeScript can't relate the name and the message of a union; `Emit` already did.
  return async (name, message) => (events[name] as (message: unknown) => Promise<void> | undefined)(message)
}

/** The owner of the email may take the account over at the same time. */
export async function lockTarget({ adapter, isTransaction }: Enrollment, user: AdapterUser): Promise<void> {
  if (isTransaction) await lockUser(adapter, user)
}

export async function createUser(
  { adapter, emit, now, added }: Enrollment,
  user: Enrollable["newUser"],
  emailVerified: boolean | undefined,
): Promise<AdapterUser> {
  // Not every provider sends an email. A database that requires one reports that itself.
  const wanted = { ...user, ...added, emailVerified: emailVerified === true ? now : null } as AdapterUser
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

/** Links what was proven to a user, or leaves nothing of it. */
export async function linkTo(
  enrollment: Enrollment,
  { profile, add, removeRest }: LinkParts,
  user: AdapterUser,
  isNewUser: boolean,
): Promise<void> {
  const { adapter, emit, kept, reread, isTransaction } = enrollment
  const account = { ...kept, userId: user.id } as AdapterAccount
  let isTaken = false
  try {
    await add(adapter, account)
    if (isNewUser) isTaken = await isTakenOver(enrollment, user)
  } catch (cause) {
    // A user without an account would block the email for its owner, and an account without a passkey can't sign in.
    if (isNewUser || removeRest !== undefined) await undo(adapter, account, isNewUser)
    throw cause
  }
  try {
    if (isTaken) throw new AccessDenied("The owner of the email verified it during this sign-up, and has the user now")
    if (!isNewUser && reread !== undefined) await assertLinkable(adapter, { user, reread })
  } catch (cause) {
    // A transaction is rolled back.
    if (!isTransaction) await removeLink(adapter, account, removeRest)
    throw cause
  }
  await emit("linkAccount", { user, account, profile })
}

/** Without a transaction, the owner of the email can take a new user over before the account is linked. */
async function isTakenOver({ adapter, reclaims, isTransaction }: Enrollment, user: AdapterUser): Promise<boolean> {
  if (isTransaction || !reclaims || user.emailVerified) return false
  return Boolean((await adapter.getUser?.(user.id))?.emailVerified)
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

/** An adapter written in JavaScript may return nothing, and a session for `undefined` must not start. */
export function known(user: AdapterUser | null | undefined, method: string): AdapterUser {
  if (user?.id !== undefined && user.id !== null) return user
  throw new AdapterError(`The adapter returned no user from ${method}. Return the stored row`)
}

export function call<M extends "createUser" | "updateUser" | "linkAccount" | "createAuthenticator">(
  adapter: Adapter,
  method: M,
): NonNullable<Adapter[M]> {
  const found = adapter[method]
  if (found === undefined) throw new AdapterError(`The adapter has no ${method}. Use an adapter that implements it`)
  return found
}
