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

export function createQueue(options: QueueOptions): Queue {
  return new SinkQueue(options)
}

class SinkQueue implements Queue {
  readonly #options: QueueOptions
  readonly #waiting: AuditEntry[] = []
  /** Since the last entry that says so. */
  #untold = 0
  /** Since the start. */
  #lost = 0
  #failures = 0
  #pausedUntil = 0
  #cause: unknown
  /** A write took too long, so no further ones are tried for now. */
  #isLate = false
  /** No report has said so. */
  #isLossNew = false
  #reportedAt = Number.NEGATIVE_INFINITY
  /** A request has waited in vain, so the next ones don't. */
  #isBehind = false
  #draining: Promise<void> | undefined

  constructor(options: QueueOptions) {
    this.#options = options
  }

  async add(entry: AuditEntry): Promise<void> {
    const isLost = this.#waiting.length >= this.#options.maxWaiting
    if (isLost) this.#lose()
    else this.#waiting.push(entry)
    const isPaused = Date.now() < this.#pausedUntil && this.#failures > 0
    const work = isPaused ? undefined : this.#drain()
    if (work !== undefined && !this.#isBehind) {
      await within(this.#options.timeoutMs, work).catch(() => {
        this.#isBehind = this.#waiting.length > 0
      })
    }
    this.#report(isLost && this.#untold === 1)
  }

  async flush(): Promise<Flushed> {
    // Entries may have come while an earlier attempt was under way.
    await this.#draining
    await this.#drain()
    return { waiting: this.#waiting.length, lost: this.#lost }
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#writeAll().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #writeAll(): Promise<void> {
    this.#isLate = false
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, maxBatch)
      const left = await this.#write(batch)
      this.#waiting.splice(0, batch.length, ...left)
      if (left.length === batch.length || this.#isLate) {
        this.#failed()
        return
      }
      this.#failures = 0
      this.#tellWhatIsLost()
    }
    this.#isBehind = false
  }

  /**
   * A batch that fails is written in halves, so that an entry that the sink refuses doesn't keep back the others. It's lost if the
   * sink takes a later one and refuses it again. A sink that takes none is down, which loses nothing.
   *
   * @returns the entries that still wait
   */
  async #write(batch: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
    if (!this.#isLate && (await this.#isWritten(batch))) return []
    if (this.#isLate || batch.length === 1) return batch
    const half = Math.ceil(batch.length / 2)
    const first = await this.#write(batch.slice(0, half))
    const second = await this.#write(batch.slice(half))
    const isUp = second.length < batch.length - half
    return [...(isUp ? await this.#writeOrLose(first) : first), ...second]
  }

  async #writeOrLose(suspects: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
    const left: AuditEntry[] = []
    for (const entry of suspects) {
      if (!this.#isLate && (await this.#isWritten([entry]))) continue
      if (this.#isLate) left.push(entry)
      else this.#lose()
    }
    return left
  }

  async #isWritten(batch: readonly AuditEntry[]): Promise<boolean> {
    const { sink, timeoutMs } = this.#options
    try {
      await within(timeoutMs, sink.write(batch))
      return true
    } catch (error) {
      this.#cause = error
      this.#isLate = error instanceof Late
      return false
    }
  }

  #lose(): void {
    this.#lost += 1
    this.#untold += 1
    this.#isLossNew = true
  }

  #tellWhatIsLost(): void {
    if (this.#untold === 0 || this.#waiting.length > 0) return
    this.#waiting.push(lostEntry(this.#untold, Date.now(), this.#options.nextId))
    this.#untold = 0
  }

  #failed(): void {
    this.#isBehind = true
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures)
    this.#failures += 1
    this.#pausedUntil = Date.now() + pauseMs
    // It must not keep the process running.
    Object(setTimeout(() => void this.#drain(), pauseMs)).unref?.()
  }

  #report(isFirstLoss: boolean): void {
    if (this.#failures === 0 && !this.#isLossNew) return
    const now = Date.now()
    if (now - this.#reportedAt < reportEveryMs && !isFirstLoss) return
    this.#reportedAt = now
    this.#isLossNew = false
    const state = `${this.#failures} attempts failed, ${this.#waiting.length} entries wait, ${this.#lost} are lost`
    const problem = `The sink "${this.#options.sink.name}" of the audit log fails (${state}). Check where it writes to.`
    throw new Error(problem, { cause: this.#cause })
  }
}

class Late extends Error {}

/** @throws Late if it takes longer */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(`It took longer than ${milliseconds} ms`)), milliseconds)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
