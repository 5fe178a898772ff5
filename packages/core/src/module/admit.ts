import { AccessDenied, AuthError, InvalidConfig } from "../errors.js"
import { redirect } from "../http/respond.js"
import { sameMailbox } from "../http/email-address.js"
import { resolveCallbackUrl, toRoute } from "../http/redirect.js"
import type { AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, Params, SafeUrl } from "../model/http.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { Proof } from "../model/signin.js"
import type { CompletedSignIn, SignInAttempt, Verdict } from "../module-kit/phases.js"
import type { ProofSteps, ResolvedUser } from "../model/proof-steps.js"
import { hasRows } from "../session/revocation.js"
import { jarOf, requestContext } from "./context.js"
import { factorStep } from "./factor-step.js"
import { assertEnabled } from "../revoke/disabled.js"
import { type Installed, installed } from "./installed.js"
import { type Held, type PendingSignIn, hold, newName, snapshotOf } from "./pending.js"
import { rememberStarted } from "./users.js"

export interface Arrival {
  readonly proof: Proof
  readonly steps: ProofSteps
  readonly owner: AdapterUser | null
  readonly current: LiveSession | null
  readonly callbackUrl: SafeUrl
  /** What was held, once its factor is proven. */
  readonly held: PendingSignIn | undefined
}

/** The user may come in, or is sent elsewhere without a session. */
export type Admission = Admitted | { readonly detour: AuthResult }

interface Admitted {
  readonly signIn: SignInAttempt
  readonly proof: Proof
  /** What makes the sign-in two factors, with `session.stepUp`. */
  readonly isFactorProven: boolean
  readonly isAccepted: boolean
}

/**
 * The phases that modules fill: resolve user, guard, factor. Nothing has been written yet.
 *
 * @throws AccessDenied
 */
export async function admit(auth: AuthContext, request: AuthRequest, arrival: Arrival): Promise<Admission> {
  const { proof, held } = arrival
  const modules = await installed(auth)
  const resolved = await arrival.steps.resolve(arrival.owner, arrival.current)
  if (held !== undefined) assertSame(held, resolved)
  const { amr } = arrival.steps
  const attempt = attemptOf(proof, resolved, held?.amr ?? (amr === null ? [] : [amr]), arrival.current)
  const enabled = assertEnabled(auth, resolved.user.id)
  const verdicts = await askGuards(auth, request, modules, { attempt, proof })
  await enabled
  const verdict = strictest(verdicts)
  if (verdict?.kind === "deny") throw refusal(verdict)
  if (verdict?.kind === "divert") return { detour: redirect(await resolveCallbackUrl(auth, request, verdict.url)) }
  if (resolved.refusal !== undefined) throw await resolved.refusal()
  const demanded = new Set(verdicts.flatMap((each) => (each.kind === "require" ? each.factor : [])))
  return admitWithFactors(auth, request, { arrival, resolved, modules, attempt, demanded })
}

async function admitWithFactors(auth: AuthContext, request: AuthRequest, question: Question): Promise<Admission> {
  const detour = await askFactors(auth, request, question)
  if (detour !== undefined) return { detour }
  const { arrival, modules, attempt } = question
  const { proof, held } = arrival
  const isFactorProven = (held?.passed.length ?? 0) > 0
  const accepted = auth.stepUp && (await isAccepted(auth, request, modules, attempt))
  return { signIn: attempt, proof, isFactorProven, isAccepted: accepted }
}

/** The sign-in counts as two factors already. */
async function isAccepted(
  auth: AuthContext,
  request: AuthRequest,
  modules: readonly Installed[],
  attempt: SignInAttempt,
): Promise<boolean> {
  for (const each of modules) {
    const { exempt = [], accepts } = each.parts.factor ?? {}
    if (exempt.some((method) => attempt.amr.includes(method))) return true
    if ((await accepts?.(await requestContext(auth, request, each), attempt)) === true) return true
  }
  return false
}

/** What modules add to the response to a sign-in. */
export interface Added {
  readonly cookies: readonly SetCookie[]
  readonly headers?: Params
}

/** Tells the modules, once, that the user signed in. */
export async function afterSignIn(
  auth: AuthContext,
  request: AuthRequest,
  { signIn, proof, user, token, id }: Completed,
): Promise<Added> {
  // What a guard or a factor set before belongs to nothing.
  const cookies = jarOf(request)
  cookies.length = 0
  const headers: Record<string, string> = {}
  rememberStarted(request, token)
  const session = hasRows(auth) ? await request.scheme.sessions.keyOf(token) : undefined
  for (const each of await installed(auth)) {
    try {
      const own = carriedOf(proof, each)
      const context = await requestContext(auth, request, each)
      Object.assign(
        headers,
        checkedHeaders(await each.parts.after?.(context, { ...signIn, user, session, id, ...own })),
      )
    } catch (cause) {
      auth.logger.error(
        new AuthError(`\`after\` of the module ${each.module.id} failed; the user is signed in`, { cause }),
      )
    }
  }
  return { cookies, headers }
}

/** By name in lowercase, so that none of the response itself is added to. @throws TypeError if one isn't a header */
function checkedHeaders(given: Params | void): Params {
  const headers = Object.fromEntries(new Headers({ ...given }))
  if ("set-cookie" in headers) throw new TypeError("`after` sets cookies with `setCookie`")
  return headers
}

interface Completed extends Pick<Admitted, "signIn" | "proof">, Pick<CompletedSignIn, "id"> {
  /** As stored. */
  readonly user: SignInAttempt["user"]
  /** Of the session that has started. */
  readonly token: string
}

function carriedOf({ carried }: Proof, { module }: Installed): Pick<SignInAttempt, "carried"> {
  return carried?.module === module.id ? { carried: carried.value } : {}
}

/** @throws AccessDenied if the account, the email or the user changed while the factor was asked */
function assertSame({ user }: PendingSignIn, resolved: ResolvedUser): void {
  const now = snapshotOf(resolved)
  const isSameEmail = user.email === undefined ? now.email === undefined : sameMailbox(now.email ?? "", user.email)
  if (user.id === now.id && isSameEmail && user.isVerified === now.isVerified) return
  throw new AccessDenied("The user or their account changed while the second factor was asked. Start again")
}

function attemptOf(
  proof: Proof,
  resolved: ResolvedUser,
  amr: readonly string[],
  current: LiveSession | null = null,
): SignInAttempt {
  return {
    user: resolved.user,
    isNewUser: resolved.isNewUser,
    provider: proof.provider.id,
    method: proof.provider.type,
    amr,
    account: proof.account,
    profile: proof.profile,
    emailVerified: proof.emailVerified,
    ...(current?.userId !== undefined && { current: { id: current.userId, session: current.row?.key } }),
  }
}

type Judged = Verdict & { readonly by: string }

/** A guard that fails refuses. */
async function askGuards(
  auth: AuthContext,
  request: AuthRequest,
  modules: readonly Installed[],
  { attempt, proof }: { readonly attempt: SignInAttempt; readonly proof: Proof },
): Promise<readonly Judged[]> {
  const judge = async (each: Installed): Promise<Judged> => {
    const by = each.module.id
    try {
      const context = await requestContext(auth, request, each)
      const verdict = await each.parts.guard?.(context, { ...attempt, ...carriedOf(proof, each) })
      return { ...(verdict ?? { kind: "allow" }), by }
    } catch (cause) {
      return { kind: "deny", reason: "its guard failed", cause, by }
    }
  }
  return Promise.all(modules.map(judge))
}

const strictness = ["deny", "divert", "require", "allow"] as const

/** Among alike, the first: modules are ordered by id. */
function strictest(verdicts: readonly Judged[]): Judged | undefined {
  return strictness.flatMap((kind) => verdicts.filter((each) => each.kind === kind))[0]
}

function refusal({ by, reason, cause }: Extract<Judged, { readonly kind: "deny" }>): AccessDenied {
  return new AccessDenied(`The module ${by} refused: ${reason}`, { cause })
}

interface Question {
  readonly arrival: Arrival
  readonly resolved: ResolvedUser
  readonly modules: readonly Installed[]
  readonly attempt: SignInAttempt
  /** Ids of modules whose factor a guard requires. */
  readonly demanded: ReadonlySet<string>
}

async function askFactors(
  auth: AuthContext,
  request: AuthRequest,
  { arrival, resolved, modules, attempt, demanded }: Question,
): Promise<AuthResult | undefined> {
  if (resolved.isContinued === true) return undefined
  const passed = arrival.held?.passed ?? []
  assertKnown(modules, demanded)
  for (const each of modules) {
    if (passed.includes(each.module.id) || !(await isAsked(auth, request, each, attempt, demanded))) continue
    assertNamed(arrival.proof)
    const { proof, callbackUrl } = arrival
    const pending = { proof, user: snapshotOf(resolved), amr: attempt.amr, passed, asks: each.module.id, callbackUrl }
    return ask(auth, request, { installed: each, attempt }, pending)
  }
  return undefined
}

/** Holds the sign-in, and shows the form of the factor. */
async function ask(
  auth: AuthContext,
  request: AuthRequest,
  { installed, attempt }: Parameters<typeof factorStep>[2],
  pending: PendingSignIn,
): Promise<AuthResult> {
  const { asks, proof, user } = pending
  const name = await newName(auth)
  const shown = await factorStep(auth, request, { installed, attempt: { ...attempt, held: name.key } })
  if (shown === null) throw new AccessDenied(`A guard requires the factor "${asks}", which the user hasn't set up`)
  const cookies = [...(proof.consumedCookies ?? []), ...(await hold(auth, request, pending, name)), ...shown.cookies]
  await auth.audit?.emit({ name: "factor.asked", outcome: "success", user: user.id, data: { factor: asks } })
  return redirect(toRoute(request, "factor"), cookies, shown.step)
}

function assertKnown(modules: readonly Installed[], demanded: ReadonlySet<string>): void {
  for (const id of demanded) {
    if (modules.some(({ module, parts }) => module.id === id && parts.factor !== undefined)) continue
    throw new InvalidConfig(`A guard requires the factor "${id}", and no module has it. Add the module to \`modules\``)
  }
}

async function isAsked(
  auth: AuthContext,
  request: AuthRequest,
  each: Installed,
  attempt: SignInAttempt,
  demanded: ReadonlySet<string>,
): Promise<boolean> {
  const { factor } = each.parts
  if (factor === undefined) return false
  if (demanded.has(each.module.id)) return true
  if (factor.exempt?.some((method) => attempt.amr.includes(method)) === true) return false
  return factor.isRequired(await requestContext(auth, request, each), attempt)
}

/** The attempt of a sign-in that waits for a factor. @throws AccessDenied if the user changed meanwhile */
export function heldAttempt({ key, pending }: Held, resolved: ResolvedUser): SignInAttempt {
  assertSame(pending, resolved)
  return { ...attemptOf(pending.proof, resolved, pending.amr), held: key }
}

function assertNamed(proof: Proof): void {
  if (proof.isNameless !== true) return
  const text = `authorize() of the provider "${proof.provider.id}" returned a user without an \`id\`, who can't have a second factor. Return a permanent \`id\``
  throw new InvalidConfig(text)
}
