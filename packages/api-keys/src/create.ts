import { sha256 } from "@latchkey/core/module"
import type { Background } from "./context.js"
import type { CreateProblem } from "./index.js"
import { formatKey, newId, newSecret } from "./key-text.js"
import { type Settings, usualAge } from "./options.js"
import { ownerOf } from "./owners.js"
import type { KeyRecord } from "./records.js"

interface Wanted {
  readonly userId: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Seconds. `null`: never. `undefined`: the default. */
  readonly expiresIn: number | null | undefined
}

/** A key and its text, which isn't kept. */
export interface IssuedKey {
  readonly text: string
  readonly key: KeyRecord
}

/** Creates a key, or says what is wrong. */
export async function createKey(
  settings: Settings,
  context: Background,
  wanted: Wanted,
): Promise<IssuedKey | CreateProblem> {
  const beganAt = context.now()
  const owner = await ownerOf(settings, context, wanted.userId)
  if (owner === null) return "owner"
  const name = nameIn(wanted.name)
  const lifetime = wanted.expiresIn === undefined ? usualAge(settings) : wanted.expiresIn
  if (name === undefined) return "name"
  if (!isLifetime(settings, lifetime)) return "lifetime"
  if (!areScopes(settings, wanted.scopes, owner.rights)) return "scopes"
  const [id, secret] = [newId(context.random), newSecret(context.random)]
  const key: KeyRecord = {
    id,
    userId: wanted.userId,
    name,
    scopes: settings.scopes.filter((scope) => wanted.scopes.includes(scope)),
    hash: await sha256(secret),
    former: [],
    generation: 0,
    createdAt: new Date(beganAt),
    ...termOf(settings, beganAt, lifetime),
  }
  const problem = await store(settings, context, key)
  return problem ?? { key, text: formatKey(settings.prefix, { id, secret }) }
}

/** What users call a key. Control characters, and those that change the direction of text, would garble lists and emails. */
function nameIn(typed: string): string | undefined {
  const name = typed.length > 256 ? "" : typed.trim()
  return /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(name) ? name : undefined
}

function isLifetime({ maxAge }: Settings, lifetime: number | null): boolean {
  if (lifetime === null) return maxAge === null
  return Number.isSafeInteger(lifetime) && lifetime > 0 && lifetime <= (maxAge ?? 100 * 365 * 86_400)
}

/** A key gets no scope that its owner doesn't have. */
function areScopes({ scopes }: Settings, wanted: readonly string[], rights: readonly string[]): boolean {
  return wanted.every((scope) => rights.includes(scope)) && (wanted.length > 0 || scopes.length === 0)
}

type Term = Pick<KeyRecord, "lifetime" | "expiresAt" | "remindAt">

/** When a key ends, and when its owner gets an email about it. Who chose a few days needs none. */
export function termOf({ remindBefore }: Settings, now: number, lifetime: number | null): Term {
  if (lifetime === null) return {}
  const expiresAt = new Date(now + lifetime * 1000)
  const reminds = remindBefore > 0 && lifetime > remindBefore
  return { lifetime, expiresAt, ...(reminds && { remindAt: new Date(expiresAt.getTime() - remindBefore * 1000) }) }
}

/** Seconds. Users see that a key has expired, and programs get to know why they are refused. */
const keptAfterEnd = 30 * 86_400

export function storedFor({ lifetime }: Pick<KeyRecord, "lifetime">): { readonly expiresIn?: number } {
  return lifetime === undefined ? {} : { expiresIn: lifetime + keptAfterEnd }
}

/** Stores the key, unless the user has as many as there may be. In each round, one of the parallel creations wins. */
async function store(settings: Settings, context: Background, key: KeyRecord): Promise<CreateProblem | undefined> {
  const { records, batch } = context
  const { userId } = key
  for (let round = 0; round <= settings.maxKeys; round++) {
    const ring = await records.ring.get({ userId })
    if (hasEnded(key, ring)) return "owner"
    const room = await roomIn(settings, context, ring?.ids ?? [])
    if (room === null) return "limit"
    const ids = [...room.ids, key.id]
    const turn = ring === null ? records.ring.writes.insert({ userId, ids }) : records.ring.writes.swap(ring, { ids })
    const ends = room.expired === undefined ? [] : [records.key.writes.remove({ id: room.expired })]
    if (await batch(userId, [turn, records.key.writes.insert(key, storedFor(key)), ...ends])) return undefined
  }
  return "busy"
}

/** Everything of the user was revoked since the creation began. */
function hasEnded({ createdAt }: KeyRecord, ring: { readonly endedAt?: Date | undefined } | null): boolean {
  return (ring?.endedAt?.getTime() ?? 0) >= createdAt.getTime()
}

interface Room {
  readonly ids: readonly string[]
  /** A key that has expired makes room. */
  readonly expired?: string
}

/** The ids of keys are only looked at one by one when they seem to be too many. */
async function roomIn({ maxKeys }: Settings, context: Background, ids: readonly string[]): Promise<Room | null> {
  if (ids.length < maxKeys) return { ids }
  const found = await Promise.all(ids.map(async (id) => context.records.key.get({ id })))
  const keys = found.filter((key) => key !== null)
  if (keys.length < maxKeys) return { ids: keys.map(({ id }) => id) }
  const isExpired = ({ expiresAt }: KeyRecord) => expiresAt !== undefined && expiresAt.getTime() <= context.now()
  const expired = keys.find(isExpired)
  if (expired === undefined) return null
  return { ids: keys.filter((key) => key !== expired).map(({ id }) => id), expired: expired.id }
}
