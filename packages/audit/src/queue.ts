import { type AuditEntry, lostEntry, type NextId } from "./entry.js"
import type { AuditSink, Flushed } from "./options.js"

/** What waits for a sink. */
export interface Queue {
  /**
   * Resolves when the sink has the entry, or when the request shouldn't wait any longer.
   *
   * @throws Error about a sink that fails, at most once a minute, and for the first entry that is lost
   */
  add(entry: AuditEntry): Promise<void>
  /** Tries once more to write everything. */
  flush(): Promise<Flushed>
}

export interface QueueOptions {
  readonly sink: AuditSink
  readonly timeoutMs: number
  readonly maxWaiting: number
  readonly nextId: NextId
}

/** Entries of one call. */
const maxBatch = 100

/** Until the next attempt after a failure: it doubles each time. Milliseconds. */
const [firstPauseMs, longestPauseMs] = [1000, 60_000]
const reportEveryMs = 60_000

export function createQueue({ sink, timeoutMs, maxWaiting, nextId }: QueueOptions): Queue {
  const waiting: AuditEntry[] = []
  /** Since the last entry that says so, and since the start. */
  let [untold, lost] = [0, 0]
  let failures = 0
  let pausedUntil = 0
  let cause: unknown
  let reportedAt = Number.NEGATIVE_INFINITY
  /** A request has waited in vain, so the next ones don't. */
  let isBehind = false
  let draining: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      try {
        await within(timeoutMs, sink.write(batch))
      } catch (error) {
        failed(error)
        return
      }
      waiting.splice(0, batch.length)
      failures = 0
      tellWhatIsLost()
    }
    isBehind = false
  }

  function tellWhatIsLost(): void {
    if (untold === 0 || waiting.length > 0) return
    waiting.push(lostEntry(untold, Date.now(), nextId))
    untold = 0
  }

  function failed(error: unknown): void {
    cause = error
    isBehind = true
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
    failures += 1
    pausedUntil = Date.now() + pauseMs
    // It must not keep the process running.
    Object(setTimeout(() => void drain(), pauseMs)).unref?.()
  }

  function drain(): Promise<void> {
    draining ??= writeAll().finally(() => {
      draining = undefined
    })
    return draining
  }

  function report(isFirstLoss: boolean): void {
    const now = Date.now()
    if (failures === 0 && !isFirstLoss) return
    if (now - reportedAt < reportEveryMs && !isFirstLoss) return
    reportedAt = now
    const state = `${failures} attempts failed, ${waiting.length} entries wait, ${lost} are lost`
    throw new Error(`The sink "${sink.name}" of the audit log fails (${state}). Check where it writes to.`, { cause })
  }

  return {
    async add(entry) {
      const isLost = waiting.length >= maxWaiting
      if (isLost) {
        lost += 1
        untold += 1
      } else waiting.push(entry)
      const isPaused = Date.now() < pausedUntil && failures > 0
      const work = isPaused ? undefined : drain()
      if (work !== undefined && !isBehind) {
        await within(timeoutMs, work).catch(() => {
          isBehind = waiting.length > 0
        })
      }
      report(isLost && untold === 1)
    },
    async flush() {
      // Entries may have come while an earlier attempt was under way.
      await draining
      await drain()
      return { waiting: waiting.length, lost }
    },
  }
}

/** @throws Error if it takes longer */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${milliseconds} ms`)), milliseconds)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
