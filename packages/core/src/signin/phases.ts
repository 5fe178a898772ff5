import { AccessDenied, AdapterError, AuthError, CallbackRouteError, InvalidProvider, Verification } from "../errors.js"
import { forgetAttempt, rememberMethod } from "../http/attempt.js"
import { withRequest } from "../http/auth-request.js"
import { redirect } from "../http/respond.js"
import { clearCookie } from "../http/cookie.js"
import { callbackUrlOf, cookieAfter, resolveChosenUrl, toPage } from "../http/redirect.js"
import { rememberDevice } from "../limits/attempts.js"
import type { SessionDetails } from "../model/adapter.js"
import type { AuthContext, ProviderWithMethod } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, SafeUrl } from "../model/http.js"
import type { Identity, LiveSession } from "../model/session-strategy.js"
import type { Proof } from "../model/signin.js"
import type { Added, Admission, Arrival } from "../module/admit.js"
import type { PendingSignIn } from "../module/pending.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { keepSecret } from "../observability/in-flight.js"
import { clearOlderCookies, clearSessionCookies, liveSession } from "../session/current.js"
import { detailsAtStart } from "../session/details.js"
import { idText, rememberSignIn } from "../session/live-session.js"
import { assertEnabled } from "../revoke/disabled.js"
import { endSurplusSessions } from "../session/revocation.js"
import { writeSessionCookie } from "../session/session-cookie.js"
import type { Identified, ProofSteps, SignInParams } from "../model/proof-steps.js"
import { askApplication } from "./sign-up.js"

/** GET and POST callback/:provider. */
export async function finishSignIn(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const provider = requestedProvider(auth, request)
  try {
    const method = await provider.method()
    const proof = await method.finish(auth, provider, request)
    if (!("provider" in proof)) return proof
    const result = await signIn(auth, request, { proof, steps: method.steps(auth, request, proof) })
    return { ...result, cookies: [...(proof.consumedCookies ?? []), ...result.cookies] }
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError(cause instanceof Error ? cause : new Error(String(cause)), { provider: provider.id })
  }
}

/** Cookies that a callback uses up, whether the sign-in succeeds or fails. */
export async function consumedCookies(auth: AuthContext, request: AuthRequest): Promise<readonly SetCookie[]> {
  const provider = requestedProvider(auth, request)
  const method = await provider.method()
  return (await method.consumedCookies?.(auth, provider, request)) ?? []
}

/** A sign-in that a factor held, and whose factor is proven. */
export async function continueSignIn(
  auth: AuthContext,
  request: AuthRequest,
  held: PendingSignIn,
): Promise<AuthResult> {
  const steps = await stepsFor(auth, request, held.proof)
  return signIn(auth, request, { proof: held.proof, steps }, held)
}

/**
 * prove → resolve user → guard → factor → store → session → after
 *
 * The order is the security property: the application and the modules are asked before anything is written, the user is stored
 * before a session starts, and the browser gets the session last.
 */
async function signIn(
  auth: AuthContext,
  request: AuthRequest,
  { proof, steps }: Proven,
  held?: PendingSignIn,
): Promise<AuthResult> {
  try {
    const callbackUrl = await callbackUrlOf(auth, request, held?.callbackUrl ?? proof.callbackUrl)
    const owner = await steps.findOwner()
    const params = steps.signInParams(owner)
    // With modules, the user is known once it's resolved, and read beside what the guards read.
    const enabled = hasSeam(auth) ? undefined : assertEnabled(auth, params.user.id)
    const refusedTo = held === undefined ? await askSignIn(auth, request, params) : undefined
    if (refusedTo !== undefined) return redirect(refusedTo)
    const current = await liveSession(auth, request)
    await enabled
    const admission = await admitted(auth, request, { proof, steps, owner, current, callbackUrl, held })
    if ("detour" in admission) return admission.detour
    const identified = await steps.identify(owner, current)
    return await complete(auth, request, { proof, steps, identified, current, callbackUrl, admission })
  } catch (cause) {
    // A link that was withdrawn during the sign-in must not work again.
    if (!(cause instanceof Verification)) await steps.undo?.()
    throw cause
  }
}

interface Proven {
  readonly proof: Proof
  readonly steps: ProofSteps
}

interface Stored extends Proven {
  readonly identified: Identified
  /** The session that the browser had before. */
  readonly current: LiveSession | null
  readonly callbackUrl: SafeUrl
  readonly admission: Admitted
}

/** The user is stored. What remains: session and after. */
async function complete(auth: AuthContext, request: AuthRequest, stored: Stored): Promise<AuthResult> {
  const { proof, steps, identified, current, callbackUrl, admission } = stored
  const { identity } = identified
  await endSurplusSessions(auth, request, idText(identity.user.id))
  const authenticated = await withAuthentication(auth, stored)
  const started = await startSession(auth, request, authenticated)
  if (started.token) await steps.afterSession?.(identity)
  const userCookies = started.token ? await userCookiesFor(auth, request, stored) : []
  await endReplacedSession(auth, request, current)
  await auth.events.signIn(withRequest((steps.signInMessage ?? signInMessage)(identity), request))
  const added = started.token ? await admission.after(authenticated.identity, started.token) : nothing
  const to = landingPage(auth, request, identity, callbackUrl)
  const visitorCookies = [...clearVisitorCookies(request), ...cookieAfter(auth, request, callbackUrl)]
  const pageCookies = [...forgetAttempt(request), ...rememberMethod(auth, request, proof.provider)]
  const cookies = [...started.cookies, ...visitorCookies, ...userCookies, ...pageCookies, ...added.cookies]
  const meaning = started.token ? ({ status: "signed-in" } as const) : undefined
  return { kind: "redirect", to, cookies, meaning, headers: added.headers }
}

/** A user who adds an account or a passkey doesn't sign in anew. */
async function userCookiesFor(
  auth: AuthContext,
  request: AuthRequest,
  { proof, steps, identified, callbackUrl }: Stored,
): Promise<readonly SetCookie[]> {
  const signedIn = { userId: idText(identified.identity.user.id), to: callbackUrl }
  const times = identified.continued === undefined ? await rememberSignIn(auth, request, signedIn) : []
  // Later attempts in this browser have a budget of their own.
  const device = await rememberDevice(auth, request, steps.countedAs ?? [], proof.deviceNames ?? [])
  return [...device, ...times]
}

/** The session says when and how the user signed in. */
async function withAuthentication(
  auth: AuthContext,
  { identified, proof, steps, admission }: Stored,
): Promise<Identified> {
  const amr = admission.amr ?? (steps.amr === null ? [] : [steps.amr])
  // A session of a visitor who proved nothing is enough for no level.
  if (!auth.stepUp || amr.length === 0 || identified.continued !== undefined) return identified
  const { newAuthentication } = await import("./authentication.js")
  const { identity } = identified
  const signedIn = { ...admission, userId: idText(identity.user.id), proof, amr }
  return { ...identified, identity: { ...identity, authentication: await newAuthentication(auth, signedIn) } }
}

interface Admitted {
  /** What was proven. @default what the method proves */
  readonly amr?: readonly string[]
  readonly isFactorProven: boolean
  readonly isAccepted: boolean
  /** Tells the modules about the user, who is stored now, and returns what they add to the response. */
  after(identity: Identity, token: string): Promise<Added>
}

const nothing: Added = { cookies: [] }

async function admitted(
  auth: AuthContext,
  request: AuthRequest,
  arrival: Arrival,
): Promise<Admitted | Extract<Admission, { readonly detour: AuthResult }>> {
  if (!hasSeam(auth)) return { after: async () => nothing, isFactorProven: false, isAccepted: false }
  const { admit, afterSignIn } = await seamOf(auth)
  const admission = await admit(auth, request, arrival)
  if ("detour" in admission) return admission
  const { signIn, proof, isFactorProven, isAccepted } = admission
  const after: Admitted["after"] = ({ user, authentication }, token) =>
    afterSignIn(auth, request, { signIn, proof, user, token, id: authentication?.id })
  return { after, amr: signIn.amr, isFactorProven, isAccepted }
}

function requestedProvider(auth: AuthContext, { providerId }: AuthRequest): ProviderWithMethod {
  const provider = providerId === undefined ? undefined : auth.providers.get(providerId)
  if (provider === undefined) throw new InvalidProvider("The callback names no configured provider")
  return provider
}

/** The steps of a proof that a factor held. */
export async function stepsFor(auth: AuthContext, request: AuthRequest, proof: Proof): Promise<ProofSteps> {
  const method = await auth.providers.get(proof.provider.id)?.method()
  if (method === undefined) throw new InvalidProvider("The provider isn't configured anymore")
  return method.steps(auth, request, proof)
}

interface Started {
  /** Empty: no session has started. */
  readonly token: string
  readonly cookies: readonly SetCookie[]
}

async function startSession(
  auth: AuthContext,
  request: AuthRequest,
  { identity, assertHolds, continued }: Identified,
): Promise<Started> {
  const { sessions, cookies } = request.scheme
  const { runtime } = auth
  const issued = await sessions
    .start(identity, await detailsOf(auth, request, continued), continued)
    .catch(async (cause: unknown) => {
      if (cause instanceof AdapterError) await assertStored(auth, identity)
      throw cause
    })
  keepSecret(request, issued?.token, identity.account)
  if (issued === null) return { token: "", cookies: clearSessionCookies(request) }
  auth.audit?.sees({ session: { userId: idText(identity.user.id), key: await sessions.keyOf(issued.token) } })
  try {
    const enabled = assertEnabled(auth, identity.user.id)
    await assertHolds?.()
    await enabled
  } catch (cause) {
    await sessions.revoke(issued.token)
    throw cause
  }
  const written = writeSessionCookie(cookies.sessionToken, issued, request.cookies, runtime.now())
  return { token: issued.token, cookies: [...written, ...clearOlderCookies(request)] }
}

async function detailsOf(
  auth: AuthContext,
  request: AuthRequest,
  continued: Identified["continued"],
): Promise<SessionDetails> {
  const details = detailsAtStart(auth, request, continued)
  return auth.place === undefined ? details : (await import("./place.js")).withPlace(auth, request, details)
}

/** @throws AccessDenied if the user is gone, because a session can't be stored without its user */
async function assertStored({ adapter }: AuthContext, { user }: Identity): Promise<void> {
  if ((await adapter?.getUser?.(user.id)) === null) throw new AccessDenied("The user was deleted during this sign-in")
}

/** Each sign-in gets a session of its own (session fixation), and the one it replaces ends. */
async function endReplacedSession(auth: AuthContext, request: AuthRequest, live: LiveSession | null): Promise<void> {
  if (live === null) return
  try {
    await request.scheme.sessions.end(live)
  } catch (cause) {
    auth.logger.error(new AuthError("Could not end the replaced session; it stays valid until it expires", { cause }))
  }
}

function signInMessage({ user, account, profile, isNewUser, state }: Identity) {
  const optional = {
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
    ...(state && { state }),
  }
  return { user, account, ...optional }
}

function landingPage(auth: AuthContext, request: AuthRequest, { isNewUser }: Identity, callbackUrl: SafeUrl): SafeUrl {
  const { newUser } = auth.pages
  return isNewUser === true && newUser !== undefined ? toPage(request, newUser, { callbackUrl }) : callbackUrl
}

/** These belong to the visitor from before the sign-in, so the user gets a new CSRF token. */
function clearVisitorCookies({ scheme, cookies }: AuthRequest): readonly SetCookie[] {
  const { csrfToken } = scheme.cookies
  const version4 = scheme.version4?.sameFormat.map(({ cookie }) => cookie) ?? []
  return [csrfToken, ...version4].filter(({ name }) => cookies.has(name)).map((cookie) => clearCookie(cookie))
}

/**
 * Asks the `signIn` callback. A string ends the sign-in and redirects there, which is the return value. Any other truthy
 * value allows the sign-in.
 *
 * @throws AccessDenied if the callback refuses or throws; an `AuthError` that it throws passes unchanged
 */
export async function askSignIn(
  auth: AuthContext,
  request: AuthRequest,
  params: SignInParams,
): Promise<SafeUrl | undefined> {
  const answer = await askApplication(() => auth.callbacks.signIn(params))
  if (!answer) throw new AccessDenied("The signIn callback refused the sign-in")
  return typeof answer === "string" ? resolveChosenUrl(auth, request, answer) : undefined
}
