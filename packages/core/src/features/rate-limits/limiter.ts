import { RateLimited } from "../../errors.js"
import type { AuthContext, CountedAttempt, Refund } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { RateLimit, RateLimitAction, RateLimits } from "../../model/limits.js"
import { addressOf } from "../../limits/attempts.js"
import { limitsFor } from "./default-limits.js"
import { isKnownFor, knownDevice } from "./known-device.js"
import { type Answer, type Ledger, openLedger } from "./ledger.js"
import { isFirstTry, takeSlot, waitForSlot } from "./slow-lane.js"

export { rememberDevice } from "./known-device.js"

/**
 * Counts an attempt before it's made, so parallel attempts can't exceed the limit. A user has a budget on each device that
 * they signed in with before. From other devices, a used-up budget of the user means slower attempts, not a refusal: otherwise
 * an attacker could lock the user out.
 *
 * @returns a function that refunds the attempt, for attempts that don't count if they succeed
 * @throws RateLimited
 */
export async function consumeAttempt(
  auth: AuthContext,
  request: AuthRequest,
  { action, identifiers = () => [], deviceNames = () => [] }: CountedAttempt,
): Promise<Refund> {
  const limits = limitsFor(auth.rateLimit, action)
  if (auth.rateLimit === false || limits === undefined) return async () => undefined
  const ledger = openLedger(auth, auth.rateLimit)
  try {
    await spend({ auth, request, action, limits, ledger }, { identifiers, deviceNames })
  } catch (cause) {
    // A refused attempt costs nothing. Otherwise one IP address could use up the limit of an account for all others.
    if (cause instanceof RateLimited) {
      await ledger.refund()
      await report(auth, action)
    }
    throw cause
  }
  return () => ledger.refund()
}

/**
 * Counts an attempt with the limit of a module.
 *
 * @param action names the module and its limit
 * @throws RateLimited
 */
export async function consumeOne(auth: AuthContext, action: string, limit: RateLimit, subject: string): Promise<void> {
  if (auth.rateLimit === false) return
  const { allowed, retryAfter } = await openLedger(auth, auth.rateLimit).take([action, "module", subject], limit)
  if (allowed) return
  await report(auth, action)
  throw tooMany(action, retryAfter, "the limit in the options of the module")
}

async function report({ audit }: AuthContext, action: string): Promise<void> {
  await audit?.emit({ name: "rate-limit.reached", outcome: "failure", data: { action } })
}

interface Spending {
  readonly auth: AuthContext
  readonly request: AuthRequest
  readonly action: RateLimitAction
  readonly limits: RateLimits
  readonly ledger: Ledger
}

type Names = Required<
  Pick<{ [field in keyof CountedAttempt]: NonNullable<CountedAttempt[field]> }, "identifiers" | "deviceNames">
>

async function spend(spending: Spending, names: Names): Promise<void> {
  if (await spendOfDevice(spending, names)) return
  const { address, isForgeable } = addressOf(spending.auth, spending.request)
  if (address !== undefined) await take(spending, "address", address, { isForgeable })
  const identifiers = await names.identifiers()
  if (address === undefined) return takeEach(spending, "identifier", identifiers)
  const mayWait = await isFirstTry(spending.auth, `${spending.action} ${address}`, identifiers)
  const pairs = identifiers.map((identifier) => `${address} ${identifier}`)
  await takeEach(spending, "both", pairs, { isForgeable, mayWait })
  await takeEach(spending, "identifier", identifiers, { mayWait })
}

/** Whether the attempt has the budget of a known device. The other budgets don't count it then. */
async function spendOfDevice(spending: Spending, names: Names): Promise<boolean> {
  const device = spending.limits.device ? await knownDevice(spending.request) : undefined
  if (device === undefined) return false
  if (!(await isKnownFor(device, await names.deviceNames()))) return false
  const subjects = (await names.identifiers()).map((identifier) => `${device.id} ${identifier}`)
  if (subjects.length === 0) return false
  await takeEach(spending, "device", subjects)
  return true
}

async function takeEach(
  spending: Spending,
  kind: keyof RateLimits,
  subjects: readonly string[],
  manner?: Manner,
): Promise<void> {
  for (const subject of subjects) await take(spending, kind, subject, manner)
}

interface Manner {
  /** The client may have written the address itself, so it must not lock out the real owner of the address. */
  readonly isForgeable?: boolean
  readonly mayWait?: boolean
}

/** Seconds between attempts from an address that the client may have written itself. */
const everyForged = 2

/** @throws RateLimited */
async function take(spending: Spending, kind: keyof RateLimits, subject: string, manner: Manner = {}): Promise<void> {
  const limit = spending.limits[kind]
  if (!limit) return
  const every = limit.thenEvery ?? (manner.isForgeable === true ? everyForged : undefined)
  if (every !== undefined) return takeOrSlow(spending, { kind, subject, limit, every }, manner)
  const { action, ledger } = spending
  const { allowed, retryAfter } = await ledger.take([action, kind, subject], limit)
  if (!allowed) throw tooMany(action, retryAfter)
}

interface SlowBucket {
  readonly kind: keyof RateLimits
  readonly subject: string
  readonly limit: RateLimit
  readonly every: number
}

/** The last point of the budget is the first slot of the slow lane. */
async function takeOrSlow(spending: Spending, bucket: SlowBucket, { mayWait = false }: Manner): Promise<void> {
  const { auth, request, ledger, action } = spending
  const { kind, subject, limit, every } = bucket
  const name = [action, kind, subject] as const
  const budget = { points: limit.points - 1, seconds: limit.seconds }
  const used = budget.points === 0 ? undefined : await ledger.take(name, budget)
  if (used?.allowed === true) return
  const again = () => takeSlot(ledger, name, every)
  const refused = await again()
  if (refused.allowed) return
  const answer = mayWait ? await waitForSlot(auth, name, { refused, signal: request.signal, again }) : refused
  if (answer.allowed) return
  throw tooMany(action, waitAdvice(kind, answer, used ?? { retryAfter: limit.seconds }))
}

type Wait = Pick<Answer, "retryAfter">

/** The owner of a forged address comes through sooner than at the end of its window, but most clients are the forger. */
function waitAdvice(kind: keyof RateLimits, slot: Wait, budget: Wait): number {
  return kind === "identifier" ? slot.retryAfter : budget.retryAfter
}

/** @param raise what allows more */
function tooMany(action: string, seconds: number, raise = "`rateLimit.limits`"): RateLimited {
  const retryAfter = Math.max(1, Math.ceil(seconds) || 0)
  return new RateLimited(`There were too many attempts (${action}). Wait, or raise ${raise}`, {
    action,
    retryAfter,
  })
}
