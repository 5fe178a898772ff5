import { within } from "./runtime.js"
import { type Scoped, scopedToSite } from "./state.js"

/** Work that hangs blocks the next holder of its key for this long at most. Milliseconds. */
const timeoutMs = 10_000

/** Serializes work by key, in the memory of this process. */
export interface KeyedMutex {
  /** Runs `work` after all earlier work with the same key, or one of the same keys, whether that succeeded or failed. */
  runExclusive<T>(keys: string | readonly string[], work: () => Promise<T>): Promise<T>
  /** Runs `work` unless other work holds the key: `undefined` then. */
  tryExclusive<T>(key: string, work: () => Promise<T>): Promise<T | undefined>
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()

  async function hold<T>(keys: readonly string[], mine: Promise<T>): Promise<T> {
    const settled = mine.catch(() => undefined)
    for (const key of keys) last.set(key, settled)
    try {
      return await mine
    } finally {
      for (const key of keys) if (last.get(key) === settled) last.delete(key)
    }
  }

  return {
    runExclusive(given, work) {
      const keys = [given].flat()
      const earlier = keys.flatMap((key) => last.get(key) ?? [])
      if (earlier.length === 0) return hold(keys, work())
      return hold(keys, within(timeoutMs, Promise.all(earlier), () => undefined).then(work))
    },
    tryExclusive: async (key, work) => (last.has(key) ? undefined : hold([key], work())),
  }
}

/** The mutex for work on the rows of one site. */
export const mutexOf: (auth: Scoped) => KeyedMutex = scopedToSite("mutex", createKeyedMutex)
