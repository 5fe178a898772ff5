import { sha256, toHex } from "../crypto/digest.js"
import { InvalidCheck } from "../errors.js"
import { clearCookie, setCookie } from "../http/cookie.js"
import type { AuthContext } from "../model/auth.js"
import type { UserExport } from "../model/user-export.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, SafeUrl } from "../model/http.js"
import type { RecordStore, StoredRecord } from "../model/records.js"
import type { Proof } from "../model/signin.js"
import { idText } from "../session/live-session.js"
import { isExpiredRecord } from "../model/record-rules.js"
import type { ResolvedUser } from "../model/proof-steps.js"

/** A sign-in that a factor holds: plain data, of which nothing has been written yet. */
export interface PendingSignIn {
  readonly proof: Proof
  /** The user as they were when the factor was asked. */
  readonly user: Pick<ResolvedUser["user"], "id"> & { readonly email: string | undefined; readonly isVerified: boolean }
  /** What was proven so far (RFC 8176). */
  readonly amr: readonly string[]
  /** Ids of the modules whose factor is proven. */
  readonly passed: readonly string[]
  /** Id of the module whose factor is asked. */
  readonly asks: string
  readonly callbackUrl: SafeUrl
}

const kind = "core.pending-sign-in"
const triesKind = "core.pending-sign-in-tries"
const purpose = "pending sign-in"

/** Seconds. */
const maxAge = 600

const maxTries = 5

/** A random name for a sign-in that will wait. */
export interface Name {
  /** For the browser. */
  readonly id: string
  /** For the store, from which the other can't be computed. */
  readonly key: string
}

export async function newName({ runtime }: AuthContext): Promise<Name> {
  const id = toHex(runtime.random(32))
  return { id, key: await sha256(id) }
}

/** Stores it, and gives the browser its name. */
export async function hold(
  auth: AuthContext,
  request: AuthRequest,
  pending: PendingSignIn,
  { id, key }: Name,
): Promise<readonly SetCookie[]> {
  const { runtime, https } = auth
  const data = JSON.stringify(await https.sealer.seal(`${purpose} ${key}`, { text: toText(pending) }, maxAge))
  const expiresAt = new Date(runtime.now() + maxAge * 1000)
  const now = new Date(runtime.now())
  await storeOf(auth).insert({ kind, key, owner: pending.user.id, index1: null, index2: null, data, expiresAt }, now)
  return [setCookie(request.scheme.cookies.pendingSignIn, id, { maxAge })]
}

/** A sign-in that waits in this browser, and the name under which it's stored. */
export interface Held {
  readonly key: string
  readonly pending: PendingSignIn
}

/** @throws InvalidCheck if none waits */
export async function heldIn(auth: AuthContext, request: AuthRequest): Promise<Held> {
  const id = request.cookies.get(request.scheme.cookies.pendingSignIn.name)
  const key = id === undefined ? undefined : await sha256(id)
  const stored = key === undefined ? null : await storeOf(auth).get(kind, key)
  if (key === undefined || stored === null || isExpiredRecord(stored, new Date(auth.runtime.now())))
    throw nothingWaits()
  return { key, pending: await opened(auth, key, stored.data) }
}

/** Counts an answer before it's looked at. @throws InvalidCheck after the fifth, and the sign-in is gone */
export async function countTry(auth: AuthContext, { key, pending }: Held): Promise<void> {
  const now = new Date(auth.runtime.now())
  const expiresAt = new Date(now.getTime() + 2 * maxAge * 1000)
  const counter = { kind: triesKind, key, owner: pending.user.id, limit: maxTries, expiresAt, now }
  if ((await storeOf(auth).bump(counter)) !== null) return
  await storeOf(auth).remove(kind, key)
  throw new InvalidCheck("Five answers to the second factor were wrong. Start the sign-in again")
}

/** Uses it up. @throws InvalidCheck if another request was faster */
export async function takeHeld(auth: AuthContext, { key }: Held): Promise<void> {
  if ((await storeOf(auth).take(kind, key)) === null) throw nothingWaits()
}

export function forgetHeld({ scheme, cookies }: AuthRequest): readonly SetCookie[] {
  const cookie = scheme.cookies.pendingSignIn
  return cookies.has(cookie.name) ? [clearCookie(cookie)] : []
}

/** Ends the sign-ins of a user that wait for a factor. */
export async function endHeld(auth: Pick<AuthContext, "records">, userId: string): Promise<void> {
  for (;;) {
    const found = await heldOf(auth, userId)
    if (found.length === 0) return
    for (const { key } of found) await auth.records?.remove(kind, key)
  }
}

/** The sign-ins of a user that wait for a factor: some, if there are more than 100. */
async function heldOf({ records }: Pick<AuthContext, "records">, userId: string): Promise<readonly StoredRecord[]> {
  return (await records?.find(kind, { owner: userId }, { limit: 100 }))?.records ?? []
}

/** What `export` says of them. */
export async function heldExports(auth: AuthContext, userId: string): Promise<UserExport["pendingSignIns"]> {
  return (await heldOf(auth, userId)).map(({ expiresAt }) => ({ expiresAt: expiresAt?.toISOString() ?? "" }))
}

function nothingWaits(): InvalidCheck {
  return new InvalidCheck("No sign-in waits in this browser: it's complete, or older than 10 minutes. Start again")
}

/** A factor is only asked with records: see `installed.ts`. */
function storeOf({ records }: AuthContext): RecordStore {
  if (records === undefined) throw nothingWaits()
  return records
}

type Stored = Omit<PendingSignIn, "proof"> & {
  readonly proof: object
  readonly provider: string
  readonly type: string
}

/** A password isn't kept. The link of an email is used up, and doesn't come back if the user gives up. */
function toText({ proof, ...rest }: PendingSignIn): string {
  const { provider, consumedCookies: _, ...kept } = { ...proof, credentials: undefined, restore: undefined }
  return JSON.stringify({ ...rest, proof: kept, provider: provider.id, type: provider.type }, withDates)
}

async function opened(auth: AuthContext, key: string, data: string): Promise<PendingSignIn> {
  try {
    const { payload } = await auth.https.sealer.open(`${purpose} ${key}`, String(JSON.parse(data)))
    const { proof, provider: id, type, ...rest } = JSON.parse(String(payload["text"]), dated) as Stored
    const provider = auth.providers.get(id)
    // The proof is one of its type.
    if (provider === undefined || provider.type !== type) throw nothingWaits()
    // What `toText` left out of the proof.
    const whole = { ...proof, provider, credentials: {}, restore: async () => undefined } as unknown as Proof
    return { ...rest, proof: whole }
  } catch (cause) {
    throw cause instanceof InvalidCheck
      ? cause
      : new InvalidCheck("A held sign-in can't be opened. Start again", { cause })
  }
}

const dateKey = "$date"

/** JSON has no dates. */
function withDates(this: unknown, name: string, value: unknown): unknown {
  const given: unknown = typeof this === "object" && this !== null ? Reflect.get(this, name) : undefined
  return given instanceof Date ? { [dateKey]: given.toISOString() } : value
}

function dated(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(dateKey in value) || Object.keys(value).length > 1) return value
  const date = new Date(String(value[dateKey]))
  return Number.isNaN(date.getTime()) ? value : date
}

export function snapshotOf({ user }: ResolvedUser): PendingSignIn["user"] {
  const isVerified = "emailVerified" in user && Boolean(user.emailVerified)
  return { id: idText(user.id) ?? "", email: user.email ?? undefined, isVerified }
}
