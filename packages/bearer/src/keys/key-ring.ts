import type { Background } from "../context.js"
import type { Site } from "../site.js"
import type { Jwk } from "../verify/verify.js"
import { generateKey, type SigningKey, signingKey } from "./jwk.js"

/** Seconds that others may cache the key set. A new key is published this long before its first use. */
export const keySetMaxAge = 600

/** Seconds by which clocks may differ. */
export const clockTolerance = 60

/** Seconds that a key signs. */
const keyMaxAge = 90 * 86_400

export interface KeyRing {
  readonly signing: SigningKey
  /** All whose tokens may still work, and the next one. */
  readonly published: readonly SigningKey[]
}

export async function keyRing(site: Site, context: Background): Promise<KeyRing> {
  if (site.keys !== undefined) return configuredRing(site.keys)
  const kept = await keptKeys(context)
  const next = nextKey(kept, context.now())
  if (next === undefined) return keptRing(site, kept, context.now())
  const jwk = JSON.stringify(await generateKey(site.algorithm))
  // If another process was faster, its key counts.
  await context.records.key.insert({ ...next, jwk })
  const all = await keptKeys(context)
  await forget(site, context, all)
  return keptRing(site, all, context.now())
}

/** They don't change, so they're read once. */
const configured = new WeakMap<readonly Jwk[], Promise<KeyRing>>()

function configuredRing(keys: readonly Jwk[]): Promise<KeyRing> {
  const ring = configured.get(keys) ?? Promise.all(keys.map(signingKey)).then(ringOf)
  configured.set(keys, ring)
  return ring
}

function ringOf(keys: readonly SigningKey[]): KeyRing {
  const [signing] = keys
  if (signing === undefined) throw new TypeError("There is no signing key")
  return { signing, published: keys }
}

/** A key of the records. */
interface Kept {
  readonly generation: number
  readonly usableFrom: Date
  readonly jwk: string
}

/** Oldest first. */
async function keptKeys({ records }: Background): Promise<readonly Kept[]> {
  const { items } = await records.key.list()
  return items.toSorted((one, other) => one.generation - other.generation)
}

/** The key that is due. `undefined`: none is. */
function nextKey(kept: readonly Kept[], now: number): Pick<Kept, "generation" | "usableFrom"> | undefined {
  const newest = kept.at(-1)
  if (newest === undefined) return { generation: 1, usableFrom: new Date(now) }
  if (newest.usableFrom.getTime() + (keyMaxAge - keySetMaxAge) * 1000 > now) return undefined
  return { generation: newest.generation + 1, usableFrom: new Date(now + (keySetMaxAge + clockTolerance) * 1000) }
}

async function keptRing(site: Site, kept: readonly Kept[], now: number): Promise<KeyRing> {
  const published = kept.filter((_, index) => !isOver(site, kept[index + 1], now))
  const usable = kept.findLast(({ usableFrom }) => usableFrom.getTime() <= now) ?? kept[0]
  if (usable === undefined) throw new TypeError("There is no signing key")
  return {
    signing: await signingKey(JSON.parse(usable.jwk) as Jwk),
    published: await Promise.all(published.map(async ({ jwk }) => signingKey(JSON.parse(jwk) as Jwk))),
  }
}

/** Whether no token works anymore that the key before this one signed. */
function isOver({ maxAge }: Site, next: Kept | undefined, now: number): boolean {
  return next !== undefined && next.usableFrom.getTime() + (maxAge + 2 * clockTolerance) * 1000 <= now
}

async function forget(site: Site, { records, now }: Background, kept: readonly Kept[]): Promise<void> {
  const over = kept.filter((_, index) => isOver(site, kept[index + 1], now()))
  for (const { generation } of over) await records.key.remove({ generation })
}
