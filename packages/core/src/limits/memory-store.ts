import type { RateLimitStore } from "../model/limits.js"

interface Bucket {
  points: number
  /** Milliseconds since 1970. */
  readonly resets: number
}

/** About 20 MB when full. */
const capacity = 50_000

/**
 * Counts attempts in the memory of this process. When it's full, expired buckets go first and then those with the fewest
 * attempts. To make it drop a bucket, an attacker has to fill the memory with buckets that are as full as that one.
 */
export function memoryRateLimitStore(now: () => number, mostBuckets: number = capacity): Required<RateLimitStore> {
  /** Buckets by their number of attempts: 1, 2–3, 4–7, 8–15, 16 and more. */
  const levels = Array.from({ length: 5 }, () => new Map<string, Bucket>())
  /** `undefined` for a bucket without attempts. */
  const levelOf = (points: number) => levels[Math.min(31 - Math.clz32(points), levels.length - 1)]
  const holderOf = (key: string) => levels.find((level) => level.has(key))
  const alive = (bucket: Bucket | undefined) => (bucket !== undefined && bucket.resets > now() ? bucket : undefined)
  const put = (key: string, bucket: Bucket, holder: Map<string, Bucket> | undefined) => {
    const level = levelOf(bucket.points)
    if (holder !== level) holder?.delete(key)
    level?.set(key, bucket)
  }
  return {
    take(key, { points, seconds }) {
      const holder = holderOf(key)
      const bucket = alive(holder?.get(key)) ?? { points: 0, resets: now() + seconds * 1000 }
      const retryAfter = (bucket.resets - now()) / 1000
      if (bucket.points >= points) return { allowed: false, retryAfter }
      if (bucket.points === 0) makeRoom(levels, now(), mostBuckets)
      put(key, { points: bucket.points + 1, resets: bucket.resets }, holder)
      return { allowed: true, retryAfter }
    },
    giveBack(key) {
      const holder = holderOf(key)
      const bucket = alive(holder?.get(key))
      if (bucket !== undefined) put(key, { points: bucket.points - 1, resets: bucket.resets }, holder)
    },
  }
}

function makeRoom(levels: readonly Map<string, Bucket>[], now: number, mostBuckets: number): void {
  const isFull = () => levels.reduce((sum, { size }) => sum + size, 0) >= mostBuckets
  if (!isFull()) return
  for (const level of levels) {
    for (const [key, { resets }] of level) {
      if (resets > now) break
      level.delete(key)
    }
  }
  if (!isFull()) return
  const least = levels.find(({ size }) => size > 0)
  // Finding the first key of a Map after many deletions is slow, so one hundredth goes at a time.
  if (least !== undefined) forgetOldest(least, Math.ceil(mostBuckets / 100))
}

function forgetOldest(level: Map<string, Bucket>, count: number): void {
  let left = count
  for (const oldest of level.keys()) {
    if (left === 0) break
    level.delete(oldest)
    left--
  }
}
