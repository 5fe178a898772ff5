import { JWTSessionError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { CallbacksOptions } from "../model/callbacks.js"
import type { Identity, RequestedUpdate } from "../model/session-strategy.js"
import type { JWT, ReceivedUpdate } from "../model/session.js"
import { createThrottle } from "../observability/throttle.js"
import { defined } from "../primitives/defined.js"
import { stateOf } from "../primitives/state.js"
import { idText } from "./live-session.js"
import { emailClaims, issuerClaims, namesSubject, sessionClaims, tokenClaims } from "./received-update.js"
import { claimImage } from "./session-size.js"

export type JwtCallbackOptions = Pick<
  AuthContext,
  "callbacks" | "logger" | "logSink" | "rules" | "site" | "security" | "stepUp"
> & {
  /** The time of sign-in goes into the claims as `auth_time`. */
  readonly keepsAuthTime: boolean
}

type JwtParams = Parameters<NonNullable<CallbacksOptions["jwt"]>>[0]

/** The claims of a new session. `null`: the callback refused. */
export function jwtAtSignIn(options: JwtCallbackOptions, identity: Identity): Promise<JWT | null> {
  return runJwt(options, signInParams(options, identity), "signIn")
}

/** The claims of a session that is read or updated. `null`: the callback ended it. */
export function jwtAtRead(
  options: JwtCallbackOptions,
  claims: JWT,
  update: RequestedUpdate | undefined,
): Promise<JWT | null> {
  return runJwt(options, readParams(claims, update), update?.sender === "application" ? "change" : "read")
}

function signInParams(options: JwtCallbackOptions, identity: Identity): JwtParams {
  const { user, account, profile, isNewUser, state } = identity
  const token = defined({
    name: user.name,
    email: user.email,
    picture: claimImage(options, identity),
    sub: idText(user.id),
  })
  const trigger = isNewUser === true ? "signUp" : "signIn"
  return { token, user, account, trigger, ...defined({ profile, isNewUser, state }) }
}

/** The callback gets a copy of the claims, so changes only count if it returns them. */
function readParams(claims: JWT, update: RequestedUpdate | undefined): JwtParams {
  return update === undefined
    ? { token: { ...claims } }
    : // The types describe what an application sends. A browser can send anything.
      { token: { ...claims }, trigger: "update", session: update.data as ReceivedUpdate }
}

async function runJwt(options: JwtCallbackOptions, params: JwtParams, occasion: Occasion): Promise<JWT | null> {
  const callback = options.callbacks.jwt
  if (callback === undefined) return params.token
  // The callback may change the object that it gets.
  const before = { ...params.token }
  const returned: unknown = await callback(params)
  if (typeof returned !== "object" || Array.isArray(returned)) {
    throw new JWTSessionError("The jwt callback returned no claims. Return the token, or null to end the session")
  }
  if (returned === null) return null
  // A getter, a proxy, or an object that the callback keeps could change after the check.
  const claims: JWT = { ...returned }
  const isSent = occasion === "read" && params.trigger === "update" && namesSubject(params.session, claims.sub)
  const guarded = guardedClaims(before, claims, occasion, guardRulesOf(options, isSent))
  if (guarded.restored.length > 0) warnOfRestored(options, guarded.restored)
  return guarded.claims
}

/** `isSubjectSent`: a browser sent the `sub` that the callback returned. */
function guardRulesOf(
  { rules, security, keepsAuthTime, stepUp }: JwtCallbackOptions,
  isSubjectSent: boolean,
): GuardRules {
  const { revocableSessions } = security
  // The row of a revocable session belongs to the user who signed in.
  return {
    engine: engineClaims({ revocableSessions, keepsAuthTime, stepUp }),
    keepsSubject: rules.fixedClaims || revocableSessions || isSubjectSent,
    isStrict: rules.fixedClaims,
  }
}

const restoredClaims = stateOf("restored-claims", () => createThrottle({ maxListeners: 10 }))

/** The callback runs at every read, so this is logged once for each set of claims. */
function warnOfRestored(options: JwtCallbackOptions, restored: readonly string[]): void {
  const names = restored.map((name) => `\`${name}\``).join(", ")
  if (!restoredClaims(options).allows(names, options.logSink, 0)) return
  const text = `The \`jwt\` callback changed ${names}, which can't change during a session. The former values stay`
  const advice = "Use other names for your own claims. To change the email, call `unstable_update` on the server"
  options.logger.warn("jwt-claims-restored", `${text}. ${advice}`)
}

/** When a `jwt` callback runs. `"change"`: for an update that the application asked for. */
export type Occasion = "signIn" | "read" | "change"

export interface GuardRules {
  /** Claims that the engine writes with this configuration. No callback changes them. */
  readonly engine: readonly string[]
  /** The session stays that of the user who signed in. Without it, the callback may replace `sub`, as in Auth.js v5. */
  readonly keepsSubject: boolean
  /** Under `"strict"`, registered claims and the email can't change either. */
  readonly isStrict: boolean
}

interface Written {
  readonly revocableSessions: boolean
  readonly keepsAuthTime: boolean
  readonly stepUp: boolean
}

/** The claims that the engine writes. Otherwise, an application may have claims of its own with these names. */
export function engineClaims({ revocableSessions, keepsAuthTime, stepUp }: Written): readonly string[] {
  const names = sessionClaims.filter((name) => (name.startsWith("auth_time") ? keepsAuthTime : revocableSessions))
  return stepUp ? [...names, "authentication"] : names
}

interface Guarded {
  readonly claims: JWT
  /** Claims that the callback changed and that have their former value again. */
  readonly restored: readonly string[]
}

/** Gives `claims`, a copy of what a `jwt` callback returned, the claims of the engine as they were before. */
export function guardedClaims(before: JWT, claims: JWT, occasion: Occasion, rules: GuardRules): Guarded {
  // Sealing serializes the claims, and a method of this name would replace all of them.
  if (typeof claims["toJSON"] === "function") delete claims["toJSON"]
  const verdicts = verdictsFor(occasion, rules)
  const changed = verdicts.filter(([name, isKept]) => !isKept(before[name], claims[name])).map(([name]) => name)
  // Callbacks often return an object without the other claims.
  const restored = changed.filter((name) => claims[name] !== undefined || name === "sub")
  for (const name of changed) {
    if (before[name] === undefined) delete claims[name]
    else claims[name] = before[name]
  }
  return { claims, restored }
}

/** Whether a claim may go from one value to another. */
type Verdict = (before: unknown, after: unknown) => boolean

function verdictsFor(occasion: Occasion, rules: GuardRules): readonly (readonly [name: string, isKept: Verdict])[] {
  const { engine, keepsSubject, isStrict } = rules
  const all = (names: readonly string[], isKept: Verdict) => names.map((name) => [name, isKept] as const)
  const always = [
    // At a sign-in, the engine writes its own afterwards. A provider's `sid` in the profile isn't one of them.
    ...all(engine, isSame),
    ...all(keepsSubject ? ["sub"] : [], isSameId),
  ]
  if (!isStrict) return always
  const [email = "email", ...verified] = emailClaims
  const others = occasion === "signIn" ? isSameGoneOrNew : isSameOrGone
  return [
    ...always,
    // A token with another value, such as `null`, couldn't be opened.
    ...all(tokenClaims, (before, after) => after === undefined || isSame(before, after)),
    ...all(issuerClaims, others),
    // A provider's `profile()` may leave out the email because it isn't verified.
    ...all(occasion === "change" ? [] : [email], isSameOrGone),
    ...all(occasion === "change" ? [] : verified, others),
  ]
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}

function isSameId(before: unknown, after: unknown): boolean {
  return isScalar(before) && isScalar(after) ? idText(before) === idText(after) : before === after
}

function isScalar(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number"
}

/** An application may leave out what it doesn't need in the cookie. */
function isSameOrGone(before: unknown, after: unknown): boolean {
  return after === undefined || after === null || isSame(before, after)
}

/** At a sign-in, an application may add what the provider said. */
function isSameGoneOrNew(before: unknown, after: unknown): boolean {
  return before === undefined || before === null || isSameOrGone(before, after)
}
