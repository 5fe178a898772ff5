import { sha256 } from "../../crypto/digest.js"
import { RateLimited } from "../../errors.js"
import { addressOf } from "../../limits/attempts.js"
import type { AuthContext } from "../../model/auth.js"
import type { CountedAttempt, Refund } from "../../model/features.js"
import type { AuthRequest } from "../../model/http.js"
import type { RateLimit, RateLimits } from "../../model/limits.js"
import { once } from "../../primitives/awaitable.js"
import { limitFor } from "./default-limits.js"
import { knownDevice } from "./known-device.js"
import { type Answer, type Ledger, openLedger } from "./ledger.js"
import { isFirstTry, waitForTurn } from "./waiting-room.js"

export { rememberDevice } from "./known-device.js"

/** Takes a point of every limit that an attempt has. See `limits/attempts.ts`. */
export async function consumeAttempt(
  auth: AuthContext,
  request: AuthRequest,
  attempt: CountedAttempt,
): Promise<Refund> {
  const { action } = attempt
  const ledger = openLedger(auth)
  for await (const bucket of bucketsOf(auth, request, attempt)) {
    const limit = limitFor(auth.rateLimit, action, bucket.kind)
    if (!limit) continue
    const { allowed, retryAfter } = await takeOrWait({ auth, request, ledger, action }, bucket, limit)
    if (allowed) continue
    // A refused attempt costs nothing. Otherwise one IP address could use up the limit of an account for all others.
    await ledger.refund()
    throw await refusal(auth, action, retryAfter)
  }
  return () => ledger.refund()
}

/** Takes a point of the limit of a module. */
export async function consumeOne(auth: AuthContext, action: string, limit: RateLimit, subject: string): Promise<void> {
  const { allowed, retryAfter } = await openLedger(auth).take([action, "module", await short(subject)], limit)
  if (!allowed) throw await refusal(auth, action, retryAfter, "the limit in the options of the module")
}

/** @param raise what allows more */
async function refusal(
  { audit }: AuthContext,
  action: string,
  seconds: number,
  raise = "`rateLimit.limits`",
): Promise<RateLimited> {
  await audit?.emit({ name: "rate-limit.reached", outcome: "failure", data: { action } })
  const retryAfter = Math.max(1, Math.ceil(seconds) || 0)
  return new RateLimited(`There were too many attempts (${action}). Wait, or raise ${raise}`, { action, retryAfter })
}

/** What an attempt is counted by. */
interface Bucket {
  readonly kind: keyof RateLimits
  readonly subject: string
  /** Seconds between further attempts, if the limit doesn't say. */
  readonly every?: number | undefined
  readonly mayWait?: boolean
}

/** Seconds between attempts from an address that the client may have written itself. It must not lock out the real owner. */
const everyForged = 2

/**
 * A known device has a budget that no other attempt uses up, so an attacker can't lock the user out. From elsewhere, the IP
 * address pays first, since finding the names costs work. Then the name pays, for this address and for all.
 */
async function* bucketsOf(auth: AuthContext, request: AuthRequest, attempt: CountedAttempt): AsyncGenerator<Bucket> {
  const names = once(() => namesOf(attempt))
  const device = await knownDevice(auth, request, attempt)
  const ofDevice = device === undefined ? [] : (await names()).map((name) => `${device} ${name}`)
  for (const subject of ofDevice) yield { kind: "device", subject }
  if (ofDevice.length > 0) return
  const { address, isForgeable } = addressOf(auth, request)
  const every = isForgeable ? everyForged : undefined
  if (address !== undefined) yield { kind: "address", subject: address, every }
  const mayWait = address !== undefined && (await isFirstTry(auth, `${attempt.action} ${address}`, await names()))
  const pairs = address === undefined ? [] : (await names()).map((name) => `${address} ${name}`)
  for (const subject of pairs) yield { kind: "both", subject, every, mayWait }
  for (const subject of await names()) yield { kind: "identifier", subject, mayWait }
}

async function namesOf({ identifiers }: CountedAttempt): Promise<readonly string[]> {
  return Promise.all(((await identifiers?.()) ?? []).map(short))
}

/** A name of any length takes little memory. */
async function short(name: string): Promise<string> {
  return name.length <= 200 ? name : sha256(name)
}

interface Spending {
  readonly auth: AuthContext
  readonly request: AuthRequest
  readonly ledger: Ledger
  readonly action: string
}

/** Under a long attack, further attempts are slower. docs/decisions/0018-slow-lane.md has the figures. */
const backOff = { points: 20, seconds: 3600 }

/**
 * Takes a point of the budget. If it's used up and the limit is slow, takes the next slot: one attempt every few seconds, from
 * any address. The last point of the budget is the first slot. All counts are in the store, so all processes together let one
 * attempt through.
 */
async function takeOrWait(
  { auth, request, ledger, action }: Spending,
  bucket: Bucket,
  limit: RateLimit,
): Promise<Answer> {
  const { kind, subject, mayWait = false } = bucket
  const { points, seconds, thenEvery: every = bucket.every } = limit
  if (every === undefined) return ledger.take([action, kind, subject], { points, seconds })
  const usedUp = { allowed: false, retryAfter: seconds }
  const budget = points === 1 ? usedUp : await ledger.take([action, kind, subject], { points: points - 1, seconds })
  if (budget.allowed) return budget
  const slot = async () => {
    const next = await ledger.take([action, `${kind}-slot`, subject], { points: 1, seconds: every })
    if (!next.allowed || (await ledger.take([action, `${kind}-lane`, subject], backOff)).allowed) return next
    return ledger.take([action, `${kind}-slow-slot`, subject], { points: 1, seconds: Math.max(60, every * 2) })
  }
  const refused = await slot()
  if (refused.allowed) return refused
  const waiting = { refused, again: slot, signal: request.signal }
  const last = mayWait ? await waitForTurn(auth, `${action} ${kind} ${subject}`, waiting) : refused
  // The owner of a forged address comes through sooner than that, but most clients are the forger.
  return last.allowed || kind === "identifier" ? last : budget
}
