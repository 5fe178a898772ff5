import { sha256, toHex } from "../../crypto/digest.js"
import { RateLimited } from "../../errors.js"
import { addressOf } from "../../limits/attempts.js"
import type { AuthContext } from "../../model/auth.js"
import type { CountedAttempt, Refund } from "../../model/features.js"
import type { AuthRequest } from "../../model/http.js"
import type { RateLimit, RateLimitAction, RateLimitOptions, RateLimits } from "../../model/limits.js"
import { once } from "../../primitives/awaitable.js"
import { type Answer, type Ledger, openLedger } from "./ledger.js"
import { isFirstTry, waitForTurn } from "./waiting-room.js"
import { setCookie } from "../../http/cookie.js"
import type { SetCookie } from "../../model/cookie.js"

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
  const waiting = { refused, again: slot, signal: request.clientSignal() }
  const last = mayWait ? await waitForTurn(auth, `${action} ${kind} ${subject}`, waiting) : refused
  // The owner of a forged address comes through sooner than that, but most clients are the forger.
  return last.allowed || kind === "identifier" ? last : budget
}

/** For each action, in the order in which an attempt takes its points. */
const defaults: Readonly<Record<RateLimitAction, RateLimits>> = {
  credentials: { device: per15(10), address: per15(50), both: per15(10), identifier: per15(30, { thenEvery: 2 }) },
  email: { device: per15(5), address: per15(30), both: per15(5), identifier: per15(10, { thenEvery: 60 }) },
  link: { device: per15(8), address: per15(50), both: per15(8), identifier: per15(10, { thenEvery: 120 }) },
  factor: { address: per15(50), both: per15(8), identifier: per15(10, { thenEvery: 120 }) },
  callback: { address: per15(50) },
  webauthn: { address: per15(50) },
}

/** In 15 minutes. */
function per15(points: number, slow: Pick<RateLimit, "thenEvery"> = {}): RateLimit {
  return { points, seconds: 900, ...slow }
}

/** The limit of one kind for an action. `false` or `undefined`: it has none. */
function limitFor(
  options: RateLimitOptions | false,
  action: RateLimitAction,
  kind: keyof RateLimits,
): RateLimit | false | undefined {
  const own = options && options.limits?.[action]
  return own === false ? false : (own?.[kind] ?? defaults[action][kind])
}

/** A browser in which users signed in with a password or by email. It's sealed in a cookie. */
interface KnownDevice {
  readonly id: string
  /** Digests of the names that users signed in with, the latest first. */
  readonly users: readonly string[]
}

const purpose = "known device"

/** More users of one browser share the budget of unknown devices. */
const maxUsers = 5

/** The id of this browser, if it has a budget of its own: users signed in with each of these names before. */
async function knownDevice(
  auth: AuthContext,
  request: AuthRequest,
  { action, deviceNames = () => [] }: CountedAttempt,
): Promise<string | undefined> {
  const device = limitFor(auth.rateLimit, action, "device") ? await deviceOf(request) : undefined
  if (device === undefined) return undefined
  const digests = await Promise.all((await deviceNames()).map(digestOf))
  return digests.length > 0 && digests.every((digest) => device.users.includes(digest)) ? device.id : undefined
}

/** The cookie that makes this browser a known device of a user who signed in. A sign-out keeps it. */
export async function rememberDevice(
  auth: AuthContext,
  request: AuthRequest,
  actions: readonly RateLimitAction[],
  names: readonly string[],
): Promise<readonly SetCookie[]> {
  if (names.length === 0 || !actions.some((action) => limitFor(auth.rateLimit, action, "device"))) return []
  const { cookies, sealer } = request.scheme
  const { id = toHex(auth.runtime.random(16)), users: former = [] } = (await deviceOf(request)) ?? {}
  const own = await Promise.all(names.map(digestOf))
  const users = [...new Set([...own, ...former])].slice(0, maxUsers)
  return [setCookie(cookies.device, await sealer.seal(purpose, { id, users }, cookies.device.options.maxAge ?? 0))]
}

/** `undefined`: no cookie, or not one of this site. */
async function deviceOf({ scheme, cookies }: AuthRequest): Promise<KnownDevice | undefined> {
  const sealed = cookies.get(scheme.cookies.device.name)
  if (sealed === undefined) return undefined
  try {
    const { id, users } = (await scheme.sealer.open(purpose, sealed)).payload
    if (typeof id !== "string" || !Array.isArray(users)) return undefined
    return { id, users: users.filter((user) => typeof user === "string") }
  } catch {
    return undefined
  }
}

/** The cookie is encrypted. A digest also keeps it short. */
async function digestOf(name: string): Promise<string> {
  return (await sha256(`${purpose} ${name}`)).slice(0, 32)
}
