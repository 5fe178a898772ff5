import { AccessDenied, AdapterError, AuthError, CallbackRouteError, InvalidCheck, InvalidProvider } from "../errors.js"
import { clockTolerance } from "../crypto/token-sealer.js"
import { clearCookie } from "../http/cookie.js"
import { failure, redirect } from "../http/auth-result.js"
import { resolveCallbackUrl, toPage } from "../http/redirect.js"
import { withRequest } from "../http/request.js"
import { askSignIn, type SignInQuestion } from "../methods/sign-in-callback.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { AuthContext, LiveSession } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, SafeUrl } from "../model/http.js"
import type { AccountProof, CredentialsProof, Identity, LinkDecision, MailboxProof, Proof } from "../model/signin.js"
import { writeSessionCookie } from "../session/session-cookie.js"
import { clearSessionCookies, clearFormerSessionCookies, liveSession } from "../session/current.js"
import { idText } from "../session/user-id.js"
import { hasSessions } from "../session/revocation.js"
import { recentSignInMs } from "../session/lifetime.js"
import { enroll } from "./enroll.js"
import { currentUser, gatherFacts, ownerOf } from "./facts.js"
import { decideLink, decideMailbox } from "./link.js"
import { askGuards } from "./guards.js"
import { mutexOf } from "../primitives/keyed-mutex.js"
import { providerOf } from "./provider.js"

/** callback/:provider — from whatever proves a person to their session, in this order and no other. */
export async function finishSignIn(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const provider = providerOf(auth, request)
  if (provider === undefined) return failure(new InvalidProvider("The callback names no configured provider"))
  const method = await provider.method()
  const spent = (await method.consumedCookies?.(auth, provider, request)) ?? []
  try {
    const proof = await method.finish(auth, provider, request)
    if (!("provider" in proof)) return { ...proof, cookies: [...spent, ...proof.cookies] }
    const outcome = await admit(auth, request, proof)
    return { ...outcome, cookies: [...spent, ...(proof.consumedCookies ?? []), ...outcome.cookies] }
  } catch (cause) {
    const error = toAuthError(cause, provider.id)
    await auth.events.signInFailure(withRequest({ error, provider: provider.id }, request))
    return failure(error, spent)
  }
}

async function admit(auth: AuthContext, request: AuthRequest, proof: Proof): Promise<AuthResult> {
  try {
    const callbackUrl = await resolveCallbackUrl(auth, request, proof.callbackUrl ?? rememberedUrl(request))
    const owner = await storedOwner(auth, proof)
    const diverted = await askSignIn(auth, request, question(proof, owner, request))
    if (diverted !== undefined) return redirect(diverted)
    const detour = await askGuards(auth, request, proof)
    if (detour !== undefined) return detour
    const live = await liveSession(auth, request)
    const identity = await identify(auth, proof, owner, live)
    return await startSession(auth, request, { identity, live, callbackUrl, proof })
  } catch (cause) {
    if (proof.kind === "mailbox") await restore(auth, proof)
    throw cause
  }
}

/** The first fault is the one to tell: a link that stays used can be asked for again. */
async function restore({ logger }: AuthContext, proof: MailboxProof): Promise<void> {
  try {
    await proof.restore()
  } catch (cause) {
    logger.error(new AuthError("The link of a sign-in that failed could not be made good again", { cause }))
  }
}

function question(proof: Proof, owner: AdapterUser | null, request: AuthRequest): SignInQuestion {
  const { account } = proof
  if (proof.kind === "credentials") {
    return withRequest({ user: proof.user, account, credentials: proof.credentials }, request)
  }
  if (proof.kind === "mailbox") return withRequest({ user: owner ?? provisional(proof), account }, request)
  const asked = withRequest({ user: owner ?? proof.user, account, profile: proof.profile }, request)
  return Object.defineProperty(asked, "emailVerified", { value: proof.emailVerified === true })
}

function provisional({ email, account }: MailboxProof) {
  return { id: account.providerAccountId, email, emailVerified: null }
}

async function storedOwner({ adapter }: AuthContext, proof: Proof): Promise<AdapterUser | null> {
  return adapter === undefined || proof.kind === "credentials" ? null : ownerOf(adapter, proof)
}

/** Agrees with the store on who is signing in. */
async function identify(
  auth: AuthContext,
  proof: Proof,
  owner: AdapterUser | null,
  live: LiveSession | null,
): Promise<Identity> {
  const { adapter } = auth
  if (proof.kind === "credentials") return trusted(auth, proof)
  if (adapter === undefined) return withoutStore(proof)
  const { provider, providerAccountId } = proof.account
  const who = (proof.kind === "mailbox" ? proof.email : proof.user.email) ?? `${provider} ${providerAccountId}`
  return mutexOf(auth).runExclusive(who, () => resolveIdentity(auth, adapter, proof, owner, live))
}

async function resolveIdentity(
  auth: AuthContext,
  adapter: Adapter,
  proof: AccountProof | MailboxProof,
  owner: AdapterUser | null,
  live: LiveSession | null,
): Promise<Identity> {
  const decided = await decide(auth, adapter, proof, owner ?? (await ownerOf(adapter, proof)), live)
  try {
    return await enroll(auth, adapter, proof, decided)
  } catch (cause) {
    // Somebody may have signed up with the same account or address a moment before us: then the rules for existing
    // users apply. Any other fault stays what it is.
    if (!(cause instanceof AdapterError) || decided.kind !== "create") throw cause
    const again = await decide(auth, adapter, proof, await ownerOf(adapter, proof), live)
    if (again.kind === "create") throw cause
    return enroll(auth, adapter, proof, again)
  }
}

async function decide(
  auth: AuthContext,
  adapter: Adapter,
  proof: AccountProof | MailboxProof,
  owner: AdapterUser | null,
  live: LiveSession | null,
): Promise<LinkDecision> {
  if (proof.kind === "mailbox") return decideMailbox(owner)
  const current = linkTarget(auth, proof, await currentUser(adapter, live), live)
  const facts = await gatherFacts(adapter, proof, owner, current)
  // An address that nobody proved may be a trap laid for its owner: what waits there must not become theirs.
  const unproven = auth.security.reclaimMailbox && !facts.sameEmail?.emailVerified
  return decideLink({ ...facts, trustsEmail: facts.trustsEmail && !unproven })
}

/** The signed-in user to link to: only the one who started this flow, and where linking is explicit only on request. */
function linkTarget(
  auth: AuthContext,
  { intent }: AccountProof,
  current: AdapterUser | null,
  live: LiveSession | null,
): AdapterUser | null {
  if (current === null || intent.userId === undefined) return null
  if (idText(current.id) !== intent.userId) {
    throw new InvalidCheck("The sign-in was started by another user of this browser: start again")
  }
  if (auth.security.linking === "same-session") return current
  if (!intent.explicit) return null
  assertRecent(auth, live)
  return current
}

function assertRecent({ runtime }: AuthContext, live: LiveSession | null): void {
  const age = runtime.now() - (live?.authenticatedAt ?? 0)
  // A sign-in in the future is one of a clock that was wrong: it proves nothing.
  if (age <= recentSignInMs && age >= -clockTolerance * 1000) return
  throw new AccessDenied("Linking an account needs a recent sign-in: sign in again first")
}

async function trusted(auth: AuthContext, { user, account }: CredentialsProof): Promise<Identity> {
  const { strategy, adapter } = auth
  const own: Identity = { user, account, profile: undefined, isNewUser: false }
  if (strategy === "jwt" && !needsRow(auth)) return own
  const stored = await adapter?.getUser?.(user.id)
  const isJwt = strategy === "jwt"
  if (stored !== null && stored !== undefined) return isJwt ? own : { ...own, user: stored }
  const otherwise = isJwt ? "`security.revocableSessions: false`" : '`session.strategy: "jwt"`'
  throw new AuthError(
    `authorize() returned a user that the adapter does not know: return a stored user, or use ${otherwise}`,
  )
}

/** The row by which a sealed session can be revoked belongs to a stored user. */
function needsRow({ security, adapter }: AuthContext): boolean {
  return security.revocableSessions && hasSessions(adapter) && adapter.getUser !== undefined
}

function withoutStore(proof: AccountProof | MailboxProof): Identity {
  if (proof.kind === "mailbox") throw new AuthError("E-mail sign-in needs an adapter")
  return { user: proof.user, account: proof.account, profile: proof.profile, isNewUser: undefined }
}

interface Admission {
  readonly identity: Identity
  readonly live: LiveSession | null
  readonly callbackUrl: SafeUrl
  readonly proof: Proof
}

async function startSession(
  auth: AuthContext,
  request: AuthRequest,
  { identity, live, callbackUrl, proof }: Admission,
): Promise<AuthResult> {
  const { sessions, cookies } = request.scheme
  const issued = await sessions.start(identity)
  if (issued !== null && (await isReclaimed(auth, proof, identity))) {
    await sessions.revoke(issued.token)
    throw new AccessDenied("The mailbox was proven by its owner a moment ago: the account is no longer theirs")
  }
  const session =
    issued === null
      ? clearSessionCookies(request)
      : [...writeSessionCookie(cookies.sessionToken, issued, request.cookies), ...clearFormerSessionCookies(request)]
  // Every authentication gets a session of its own; the one it replaces must not live on.
  if (live !== null) await endQuietly(auth, request, live)
  const { user, account, profile, isNewUser } = identity
  const known =
    proof.kind === "credentials" ? {} : { ...(profile && { profile }), ...(isNewUser !== undefined && { isNewUser }) }
  await auth.events.signIn(withRequest({ user, account, ...known }, request))
  const { newUser } = auth.pages
  const to = isNewUser === true && newUser !== undefined ? toPage(request, newUser, { callbackUrl }) : callbackUrl
  return redirect(to, [...session, ...usedUp(request)])
}

/** Whether `reclaim` took the account since it was found. A session that began before that was ended with the others. */
async function isReclaimed({ security, adapter }: AuthContext, proof: Proof, { user }: Identity): Promise<boolean> {
  if (proof.kind !== "account" || adapter === undefined || !security.reclaimMailbox) return false
  if ("emailVerified" in user && user.emailVerified) return false
  return idText((await ownerOf(adapter, proof))?.id ?? "") !== idText(user.id)
}

async function endQuietly(auth: AuthContext, request: AuthRequest, live: LiveSession): Promise<void> {
  try {
    await request.scheme.sessions.end(live)
  } catch (cause) {
    auth.logger.error(new AuthError("The former session could not be ended: it lives until it expires", { cause }))
  }
}

/** What belongs to the visitor who came, not to the user who now is: the next page gets a new CSRF token. */
function usedUp({ scheme, cookies }: AuthRequest): readonly SetCookie[] {
  return [scheme.cookies.csrfToken, scheme.cookies.callbackUrl]
    .filter(({ name }) => cookies.has(name))
    .map((cookie) => clearCookie(cookie))
}

/** The place remembered by an earlier page of ours, if the flow does not name one itself. */
function rememberedUrl({ scheme, cookies }: AuthRequest): string | undefined {
  return cookies.get(scheme.cookies.callbackUrl.name)
}

function toAuthError(cause: unknown, provider: string): AuthError {
  if (cause instanceof AuthError) return cause
  const error = cause instanceof Error ? cause : new Error(String(cause))
  return new CallbackRouteError(error, { provider })
}
