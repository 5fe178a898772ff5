import { AuthError, OAuthAccountNotLinked, Verification } from "../errors.js"
import { withRequest } from "../http/auth-request.js"
import { canonicalEmail, sameMailbox } from "../http/email-address.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { LinkDecision, Proof } from "../model/signin.js"
import type { NewUser } from "../module-kit/proven.js"
import { idText } from "../session/live-session.js"
import { type Accepted, type Enrollable, type Enrollment, call, decidedUser, known } from "./enroll.js"
import { resolveIdentity } from "./resolve-identity.js"
import type { ProofSteps } from "../model/proof-steps.js"
import { lockUser, userWithEmail } from "./stored-users.js"

/** The user has the token that was sent to an email. */
export interface MailboxProof extends Proof {
  readonly email: string
  /** What is stored with a new user. */
  readonly newUser?: NewUser
  /** Makes the link usable again if the sign-in fails. */
  readonly restore: () => Promise<void>
}

/** The visitor opened the link, or typed the code, that was sent to a mailbox. */
export function mailboxSteps(auth: AuthContext, request: AuthRequest, proof: MailboxProof): ProofSteps {
  const { adapter } = auth
  const { account, email, newUser } = proof
  if (adapter === undefined) throw new AuthError("Email sign-in needs an adapter: set `adapter`")
  const findOwner = () => userWithEmail(adapter, email)
  const signInParams = (owner: AdapterUser | null) => {
    const user = owner ?? {
      id: auth.runtime.uuid(),
      ...(newUser?.name && { name: newUser.name }),
      email,
      emailVerified: null,
    }
    return withRequest({ user, account: { ...account, userId: user.id } }, request)
  }
  const signUpParams = () => Object.assign(signInParams(null), newUser?.fields && { fields: newUser.fields })
  const enrollable = enrollableMailbox(auth, adapter, proof, signUpParams)
  return {
    amr: "email",
    countedAs: ["email", "link"],
    findOwner,
    signInParams,
    resolve: async (owner) => decidedUser(auth, enrollable, { decision: decide(owner) }),
    identify: (owner) =>
      resolveIdentity({
        auth,
        adapter,
        enrollable,
        keys: [canonicalEmail(email)],
        owner,
        findOwner,
        findHolder: findOwner,
        decide: async (user) => ({ decision: decide(user) }),
      }),
    undo: () => restoreLink(auth, proof),
  }
}

/** The user with a mailbox's email is its owner. */
function decide(owner: AdapterUser | null): LinkDecision {
  return owner === null ? { kind: "create" } : { kind: "resume", user: owner }
}

function enrollableMailbox(
  auth: AuthContext,
  adapter: Adapter,
  { account, email, provider, newUser }: MailboxProof,
  signUpParams: Enrollable["signUpParams"],
): Enrollable {
  const typed = { ...(newUser?.name && { name: newUser.name }), email }
  return {
    newUser: { id: account.providerAccountId, ...typed },
    signUpParams,
    refusal: ({ reason }) =>
      new OAuthAccountNotLinked(`The sign-in was refused because ${reason}`, { provider: provider.id }),
    lost: emailReplaced,
    async store(enrollment, decision) {
      const isNewUser = decision.kind === "create"
      const user = isNewUser
        ? await createOwner(enrollment, typed)
        : await verifyOwner(enrollment, email, decision.user)
      return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser }
    },
    async afterwards({ user }, decision) {
      if (!auth.security.reclaimMailbox || !isUnproven(decision)) return
      // A session that started during the transaction escaped it.
      await adapter.deleteSessions?.(user.id)
      await auth.https.sessions.endAll(user.id)
    },
  }
}

async function createOwner(
  { adapter, emit, now, id, added }: Enrollment,
  typed: Pick<AdapterUser, "email" | "name">,
): Promise<AdapterUser> {
  const wanted = { id, ...typed, ...added, emailVerified: now }
  const user = known(await call(adapter, "createUser")(wanted), "createUser")
  await emit("createUser", { user })
  return user
}

async function verifyOwner(enrollment: Enrollment, email: string, owner: AdapterUser): Promise<AdapterUser> {
  const { adapter, emit, now, reclaims } = enrollment
  const before = await presentOwner(enrollment, email, owner)
  // In the same transaction as the update: half of it would leave a user without any way to sign in.
  if (reclaims && !before.emailVerified) await reclaim(adapter, before.id)
  const user = known(await call(adapter, "updateUser")({ id: before.id, emailVerified: now }), "updateUser")
  assertEmail(user, email)
  await emit("updateUser", { user })
  return user
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

function emailReplaced(): Verification {
  return new Verification("The email of the user was changed during this sign-in. Request a link to the present one", {
    hasInvite: false,
    expired: false,
  })
}

async function restoreLink({ logger }: AuthContext, proof: MailboxProof): Promise<void> {
  try {
    await proof.restore()
  } catch (cause) {
    const text = "Could not restore the email link after the sign-in failed; the user has to request a new one"
    logger.error(new AuthError(text, { cause }))
  }
}
