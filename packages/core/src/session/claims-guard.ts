import type { JWT } from "../model/session.js"
import { emailClaims, issuerClaims, sessionClaims, tokenClaims } from "./engine-claims.js"
import { idText } from "./live-session.js"

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
}

/** The claims that the engine writes. Otherwise, an application may have claims of its own with these names. */
export function engineClaims({ revocableSessions, keepsAuthTime }: Written): readonly string[] {
  return sessionClaims.filter((name) => (name.startsWith("auth_time") ? keepsAuthTime : revocableSessions))
}

export interface Guarded {
  readonly claims: JWT
  /** Claims that the callback changed and that have their former value again. */
  readonly restored: readonly string[]
}

/**
 * What a `jwt` callback returned, with the claims of the engine as they were before. It's copied first: a getter, a proxy, or
 * an object that the callback keeps could change after the check.
 */
export function guardedClaims(before: JWT, returned: JWT, occasion: Occasion, rules: GuardRules): Guarded {
  const claims: JWT = { ...returned }
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
