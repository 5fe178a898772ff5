import { JWTSessionError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { CallbacksOptions } from "../model/callbacks.js"
import type { Identity, RequestedUpdate } from "../model/session-strategy.js"
import type { JWT, ReceivedUpdate } from "../model/session.js"
import { createThrottle } from "../observability/throttle.js"
import { scopedToSite } from "../primitives/state.js"
import { engineClaims, type GuardRules, guardedClaims, type Occasion } from "./claims-guard.js"
import { idText } from "./live-session.js"
import { namesSubject } from "./received-update.js"
import { claimImage } from "./session-size.js"

export type JwtCallbackOptions = Pick<
  AuthContext,
  "callbacks" | "logger" | "logSink" | "mode" | "scope" | "security"
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
  const { user, account, profile, isNewUser } = identity
  const token = defined({
    name: user.name,
    email: user.email,
    picture: claimImage(options, identity),
    sub: idText(user.id),
  })
  const trigger = isNewUser === true ? "signUp" : "signIn"
  return { token, user, account, trigger, ...defined({ profile, isNewUser }) }
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
  const claims: JWT = { ...returned }
  const isSent = occasion === "read" && params.trigger === "update" && namesSubject(params.session, claims.sub)
  const guarded = guardedClaims(before, claims, occasion, rulesOf(options, isSent))
  if (guarded.restored.length > 0) warnOfRestored(options, guarded.restored)
  return guarded.claims
}

/** `isSubjectSent`: a browser sent the `sub` that the callback returned. */
function rulesOf({ mode, security, keepsAuthTime }: JwtCallbackOptions, isSubjectSent: boolean): GuardRules {
  const { revocableSessions } = security
  const isStrict = mode === "strict"
  // The row of a revocable session belongs to the user who signed in.
  return {
    engine: engineClaims({ revocableSessions, keepsAuthTime }),
    keepsSubject: isStrict || revocableSessions || isSubjectSent,
    isStrict,
  }
}

const restoredClaims = scopedToSite("restored-claims", () => createThrottle({ maxListeners: 10 }))

/** The callback runs at every read, so this is logged once for each set of claims. */
function warnOfRestored(options: JwtCallbackOptions, restored: readonly string[]): void {
  const names = restored.map((name) => `\`${name}\``).join(", ")
  if (!restoredClaims(options).allows(names, options.logSink, 0)) return
  const text = `The \`jwt\` callback changed ${names}, which can't change during a session. The former values stay`
  const advice = "Use other names for your own claims. To change the email, call `unstable_update` on the server"
  options.logger.warn("jwt-claims-restored", `${text}. ${advice}`)
}

export function defined<T extends object>(values: T): { [key in keyof T]: Exclude<T[key], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [key in keyof T]: Exclude<T[key], undefined> }
}
