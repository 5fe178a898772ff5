import { sha256 } from "@latchkey/core/module"
import type { Background } from "./context.js"
import { type IssuedKey, storedFor, termOf } from "./create.js"
import type { RotateProblem } from "./index.js"
import { formatKey, newSecret } from "./key-text.js"
import { findKey, type NamedKey } from "./keys.js"
import type { Settings } from "./options.js"
import { ownerOf } from "./owners.js"
import { formerAfter } from "./secrets.js"

interface Rotation extends NamedKey {
  /** How often the key had been rotated when the user decided to. @default as it is now */
  readonly generation?: number
  /** Seconds in which the former secret works. */
  readonly overlap: number
}

/** Uses of the key change its record, too. */
const rounds = 5

/**
 * Replaces the secret of a key. The id, the name and the scopes stay, and the lifetime begins anew. Of parallel rotations of one
 * generation, one wins.
 */
export async function rotateKey(
  settings: Settings,
  context: Background,
  { generation, overlap, ...named }: Rotation,
): Promise<IssuedKey | RotateProblem> {
  let expected = generation
  for (let round = 0; round < rounds; round++) {
    const key = await findKey(context, named)
    if (key === null || (await ownerOf(settings, context, key.userId)) === null) return "not-found"
    expected ??= key.generation
    if (key.generation !== expected) return "changed"
    const secret = newSecret(context.random)
    const term = termOf(settings, context.now(), lifetimeNow(settings, key.lifetime))
    const changes = {
      hash: await sha256(secret),
      former: formerAfter(key, context.now(), overlap),
      generation: key.generation + 1,
      lifetime: term.lifetime,
      expiresAt: term.expiresAt,
      remindAt: term.remindAt,
    }
    if (await context.records.key.swap(key, changes, storedFor(term)))
      return { key: { ...key, ...changes }, text: formatKey(settings.prefix, { id: key.id, secret }) }
  }
  return "changed"
}

/** The configuration may allow less by now. */
function lifetimeNow({ maxAge }: Settings, lifetime: number | undefined): number | null {
  if (lifetime === undefined) return maxAge
  return Math.min(lifetime, maxAge ?? Number.POSITIVE_INFINITY)
}
