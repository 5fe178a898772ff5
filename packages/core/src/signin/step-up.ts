import { InvalidConfig } from "../errors.js"
import { toRoute } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, SafeUrl } from "../model/http.js"
import type { AskedLevel, Authentication } from "../model/step-up.js"
import { hasSeam, loadSeam } from "../module/seam-loader.js"
import type { StepUpQuestion } from "../module-kit/phases.js"
import { liveSession } from "../session/current.js"
import { recentSignInMs } from "../session/live-session.js"
import { authenticationOf } from "./authentication.js"

// Whether a session is enough for what the application protects. Nothing here trusts what the browser or a callback wrote.

/** What modules know about factors, see `module/step-up.ts`. */
interface Factors {
  provenFactors(auth: AuthContext, request: AuthRequest): Promise<readonly number[]>
  stepUpPage(auth: AuthContext, request: AuthRequest, question: StepUpQuestion): Promise<SafeUrl | undefined>
}

/** Something that the user of this session proved. */
interface Proven {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: 1 | 2
}

/**
 * For a page or route of the application.
 *
 * @throws InvalidConfig if no session could ever be enough
 */
export async function isEnough(auth: AuthContext, request: AuthRequest, asked: AskedLevel): Promise<boolean> {
  assertPossible(auth, asked)
  return isSufficient(auth, request, asked)
}

/** The same for a level that anyone may have written. */
export async function isSufficient(auth: AuthContext, request: AuthRequest, asked: AskedLevel): Promise<boolean> {
  const { maxAge = Number.POSITIVE_INFINITY, level } = asked
  const now = auth.runtime.now()
  const proven = await provenIn(auth, request)
  return proven.some((each) => each.level >= level && now - each.at <= maxAge * 1000)
}

/**
 * Whether the user has a second factor and hasn't proven it lately, so that a thief of the session can't add a way to sign in that would
 * replace it (OWASP ASVS 7.5.1).
 */
export async function lacksFactor(auth: AuthContext, request: AuthRequest): Promise<boolean> {
  if (!hasSeam(auth)) return false
  const { stepUpPage } = await factorsOf(auth)
  const question = { to: toRoute(request, "account"), level: 1, isStrong: false } as const
  if ((await stepUpPage(auth, request, question)) === undefined) return false
  return !(await isSufficient(auth, request, { maxAge: recentSignInMs / 1000, level: 2 }))
}

/** Level 2 is what the names of RFC 8176 call multiple-factor authentication. */
export function isStrong({ amr }: Pick<Authentication, "amr">): boolean {
  return amr.includes("mfa")
}

/** The page of a module that asks the user. `undefined`: they sign in again. */
export async function pageThatAsks(
  auth: AuthContext,
  request: AuthRequest,
  { level }: AskedLevel,
  to: SafeUrl,
): Promise<SafeUrl | undefined> {
  const said = await saidIn(auth, request)
  // What a factor proves adds to what the session says, and counts for nothing without.
  if (said === undefined || !hasSeam(auth)) return undefined
  const { stepUpPage } = await factorsOf(auth)
  return stepUpPage(auth, request, { to, level, isStrong: isStrong(said) })
}

async function provenIn(auth: AuthContext, request: AuthRequest): Promise<readonly Proven[]> {
  const said = await saidIn(auth, request)
  if (said === undefined) return []
  const { auth_time, idp_auth_time = auth_time } = said
  const signIn = { at: Math.min(auth_time, idp_auth_time) * 1000, level: isStrong(said) ? 2 : 1 } as const
  if (!hasSeam(auth)) return [signIn]
  const { provenFactors } = await factorsOf(auth)
  // What was proven before the sign-in belongs to another session.
  const later = (await provenFactors(auth, request)).filter((at) => at >= auth_time * 1000)
  return [signIn, ...later.map((at) => ({ at, level: 2 }) as const)]
}

/** The context of modules imports this file, so it can't import the types of what modules do. */
async function factorsOf(auth: AuthContext): Promise<Factors> {
  return (await loadSeam(auth)) as Factors
}

async function saidIn(auth: AuthContext, request: AuthRequest): Promise<Authentication | undefined> {
  const live = await liveSession(auth, request)
  return live === null ? undefined : authenticationOf(auth, live)
}

/** Otherwise the user would sign in again and again. */
function assertPossible({ stepUp, modules, providers }: AuthContext, { level }: AskedLevel): void {
  if (!stepUp) throw new InvalidConfig("Sessions don't say when their user signed in. Set `session: { stepUp: true }`")
  const hasFactor = modules.some((module) => module.stepUp === true)
  if (level === 1 || hasFactor || [...providers.values()].some(({ type }) => type === "webauthn")) return
  throw new InvalidConfig(
    "No user can prove two factors. Add a module such as `mfa()`, or passkeys, or ask for level 1",
  )
}
