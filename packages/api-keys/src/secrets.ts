import { equal } from "@latchkey/core/module"
import type { KeyRecord } from "./records.js"

interface Secret {
  readonly hash: string
  /** Milliseconds since 1970. `Infinity`: it doesn't end. */
  readonly until: number
}

/** The current secret of a key, and former ones. A key that doesn't exist has one that no one knows. */
function secretsOf(key: KeyRecord | null): readonly Secret[] {
  if (key === null) return [{ hash: "0".repeat(64), until: 0 }]
  return [{ hash: key.hash, until: key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY }, ...formerOf(key)]
}

export function formerOf({ former }: Pick<KeyRecord, "former">): readonly Secret[] {
  return former.map((entry) => {
    const [until = "", hash = ""] = entry.split(" ")
    return { hash, until: Number(until) }
  })
}

/** When this secret of the key ends. `undefined`: it isn't one. Each is compared, so that the time says nothing. */
export function endOf(key: KeyRecord | null, hash: string): number | undefined {
  const right = secretsOf(key).filter((secret) => equal(secret.hash, hash))
  return key === null ? undefined : right[0]?.until
}

/** Former secrets that work while a key is rotated, at most. */
const mostFormer = 2

/**
 * `former` after a rotation: the secret that is current until then works for a while, but no longer than it would have. Without an overlap,
 * no former secret works.
 */
export function formerAfter(key: KeyRecord, now: number, overlap: number): readonly string[] {
  if (overlap === 0) return []
  const end = Math.min(now + overlap * 1000, key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
  const all = [...formerOf(key), { hash: key.hash, until: end }]
  return all
    .filter(({ until }) => until > now)
    .slice(-mostFormer)
    .map(({ hash, until }) => `${until} ${hash}`)
}
