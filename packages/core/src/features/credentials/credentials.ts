import { AuthError, CredentialsSignin, InvalidProvider } from "../../errors.js"
import { requireOwn } from "../../http/csrf.js"
import { toRequest, withRequest } from "../../http/auth-request.js"
import { redirect } from "../../http/respond.js"
import { toRoute } from "../../http/redirect.js"
import { consumeAttempt, isLimited } from "../../limits/attempts.js"
import type { AuthContext, Method } from "../../model/auth.js"
import type { CredentialsProvider } from "../../model/credentials-provider.js"
import type { AuthRequest, AuthResult } from "../../model/http.js"
import type { Proof, ResolvedProvider } from "../../model/signin.js"
import type { User } from "../../model/user.js"
import { keepTyped } from "../../observability/in-flight.js"
import { createThrottle } from "../../observability/throttle.js"
import { once } from "../../primitives/awaitable.js"
import { isInexact } from "../../primitives/exact-json.js"
import { stateOf } from "../../primitives/state.js"
import { type MailboxProof, mailboxSteps } from "../../signin/mailbox-steps.js"
import { type OwnAccountProof, ownAccountSteps } from "../../signin/own-account-steps.js"
import { usableId } from "../../signin/stored-users.js"
import { type Credentials, credentialsIn, deviceNamesOf, identifiersOf } from "./fields.js"
import { isOnlySecret, isSecretField } from "./identifying-fields.js"
import type { Identity } from "../../model/session-strategy.js"
import { hasSessions } from "../../session/revocation.js"
import type { ProofSteps } from "../../model/proof-steps.js"

/** Says whose credentials these are. */
type Check = (
  auth: AuthContext,
  request: AuthRequest,
  provider: CredentialsProvider,
  given: Credentials["given"],
) => Promise<Checked>

/** The user, or `null` if the credentials are wrong. A module may have a proof of its own, or what the visitor sees `instead`. */
type Checked = { readonly user: User | null } | { readonly instead: Proof | AuthResult }

/** The application's `authorize` checks what the user typed. */
export const credentials: Method = credentialsMethod(async (_, request, provider, given) => ({
  user: await provider.authorize(given, toRequest(request)),
}))

export function credentialsMethod(check: Check): Method {
  return {
    steps: credentialsSteps,
    /** Credentials go to the callback route, so the sign-in route only shows the form. */
    start: async (_auth, _provider, request) => redirect(toRoute(request, "signin")),
    finish: async (auth, provider, request) => finish(auth, provider, request, check),
  }
}

async function finish(
  auth: AuthContext,
  provider: ResolvedProvider,
  request: AuthRequest,
  check: Check,
): Promise<CredentialsProof | Proof | AuthResult> {
  if (request.method !== "POST" || provider.type !== "credentials") {
    throw new InvalidProvider("POST credentials to the callback of their provider")
  }
  await requireOwn(request)
  keepTyped(request, request.body)
  const { typed, given } = credentialsIn(auth, provider, request)
  const identifiers = once(() => identifiersOf(provider, typed))
  const deviceNames = once(() => deviceNamesOf(provider, typed))
  const refund = await consumeAttempt(auth, request, { action: "credentials", identifiers, deviceNames })
  const checked = await check(auth, request, provider, given)
  if ("instead" in checked) {
    await refund()
    return checked.instead
  }
  const { user, isNameless } = identified(auth, provider, accepted(checked.user))
  // A successful sign-in doesn't count against the rate limit.
  await refund()
  const isCounted = isLimited(auth.rateLimit, "credentials")
  if (isCounted && identifiers().length === 0) warnUnlimited(auth, provider, typed)
  return {
    provider,
    user,
    account: { providerAccountId: user.id, type: "credentials", provider: provider.id },
    credentials: given,
    ...(isNameless && { isNameless }),
    callbackUrl: undefined,
    deviceNames: isCounted ? deviceNames() : [],
  }
}

function accepted(user: User | null): User {
  if (!user) throw new CredentialsSignin("authorize() didn't accept the credentials")
  return user
}

interface Identified {
  readonly user: User & { readonly id: string }
  /** The id is generated. */
  readonly isNameless: boolean
}

/** A user without an id gets a generated one. Under `"strict"` that's an error. */
function identified(auth: AuthContext, provider: CredentialsProvider, user: User): Identified {
  const id = typeof user === "object" ? usableId(notRounded(scalarOf(user.id))) : undefined
  const { namedUsers } = auth.rules
  if (id !== undefined && !(namedUsers && typeof user.id === "object"))
    return { user: withId(user, id), isNameless: false }
  if (typeof user !== "object" || namedUsers) {
    throw new AuthError("authorize() returned no valid user. Return an object with a non-empty `id`, or null")
  }
  warnOnce(auth, provider)
  return { user: withId(user, auth.runtime.uuid()), isNameless: true }
}

/** Beyond 2^53, two users could have the same number. */
function notRounded(id: unknown): unknown {
  if (typeof id !== "number" || !Number.isInteger(id) || !isInexact(id)) return id
  throw new AuthError(
    "authorize() returned a user whose `id` is a number that JavaScript rounds, so it could be that of another user. Return the exact id as text",
  )
}

const throttleOf = stateOf("credentials-warnings", () => createThrottle({ maxListeners: 100 }))

function warnOnce(auth: AuthContext, provider: CredentialsProvider): void {
  if (!throttleOf(auth).allows(provider.id, auth.logSink, auth.runtime.now())) return
  auth.logger.warn(
    "user-without-id",
    `authorize() of the provider "${provider.id}" returned a user without an \`id\`, so every sign-in gets another id. Return a permanent \`id\``,
  )
}

/**
 * Only after a success, so a stranger's form without fields isn't taken for that of the site. What the declared fields say is
 * a warning about the configuration.
 */
function warnUnlimited(auth: AuthContext, provider: CredentialsProvider, typed: Credentials["typed"]): void {
  const isGuessable = Object.keys(typed).some((name) => isSecretField(provider, name))
  if (provider.identifier !== undefined || !isGuessable || isOnlySecret(provider)) return
  if (!throttleOf(auth).allows(`${provider.id} unlimited`, auth.logSink, auth.runtime.now())) return
  auth.logger.warn(
    "user-not-limited",
    `No field of the form of the provider "${provider.id}" says who the user is, so attempts are limited per IP address, but not per user. Set \`identifier\` on the provider`,
  )
}

/** An object such as the `ObjectId` of MongoDB has an id as text. */
function scalarOf(id: unknown): unknown {
  return isObjectId(id) ? id.toString() : id
}

function isObjectId(id: unknown): id is { toString(): string } {
  return typeof id === "object" && id !== null
}

/** A row of an ORM has its fields on the prototype, so it isn't copied. */
function withId(user: User, id: string): User & { readonly id: string } {
  if (user.id === id) return user as User & { readonly id: string }
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(user) as object | null)
  if (isPlain || !Reflect.set(user, "id", id)) return { ...user, id }
  return user as User & { readonly id: string }
}

interface CredentialsProof extends Proof {
  readonly user: User & { readonly id: string }
  readonly credentials: Readonly<Record<string, unknown>>
}

/** The application's `authorize` returned a user. */
function credentialsSteps(
  auth: AuthContext,
  request: AuthRequest,
  proof: CredentialsProof | MailboxProof | OwnAccountProof,
): ProofSteps {
  if ("own" in proof) return ownAccountSteps(auth, request, proof)
  if ("email" in proof) {
    // What others put into an unverified account goes in any mode: no application relies on what a module proves.
    const security = { ...auth.security, reclaimMailbox: true }
    return mailboxSteps({ ...auth, security }, request, proof)
  }
  const { user, account, credentials } = proof
  return {
    amr: "pwd",
    countedAs: ["credentials"],
    findOwner: async () => null,
    signInParams: () => withRequest({ user, account, credentials }, request),
    resolve: async () => ({ user: (await auth.adapter?.getUser?.(user.id)) ?? user, isNewUser: false }),
    signInMessage: ({ user: signedIn, account: own }) => ({ user: signedIn, account: own }),
    identify: async () => ({ identity: await identify(auth, proof) }),
  }
}

async function identify(auth: AuthContext, { user, account }: CredentialsProof): Promise<Identity> {
  const { strategy, adapter } = auth
  const identity: Identity = { user, account, profile: undefined, isNewUser: false }
  if (strategy === "jwt" && !needsStoredUser(auth)) return identity
  const stored = await adapter?.getUser?.(user.id)
  if (stored) return strategy === "jwt" ? identity : { ...identity, user: stored }
  const alternative = strategy === "jwt" ? "`security.revocableSessions: false`" : '`session.strategy: "jwt"`'
  throw new AuthError(
    `authorize() returned a user that isn't in the database. Return a stored user, or use ${alternative}`,
  )
}

/** A revocable session has a row that belongs to a stored user. */
function needsStoredUser({ security, adapter }: AuthContext): boolean {
  return security.revocableSessions && hasSessions(adapter) && adapter.getUser !== undefined
}
