import type { AuditEntry } from "./entry.js"
import { linesOf } from "./lines.js"

/**
 * Where entries go.
 *
 * @example
 * ```ts
 * import type { AuditSink } from "@latchkey/audit"
 *
 * export const collector: AuditSink = {
 *   name: "collector",
 *   async write(entries) {
 *     const response = await fetch("https://collector.internal/audit", { method: "POST", body: JSON.stringify(entries) })
 *     if (!response.ok) throw new Error(`The collector answered with status ${response.status}`)
 *   },
 * }
 * ```
 */
export interface AuditSink {
  /** Names it in the log. */
  readonly name: string
  /**
   * Writes entries, the oldest first. The next call comes when this one has ended, or takes longer than `timeoutMs`. If it rejects or takes
   * longer, the same entries come again, so an entry can come twice: it has the same `id` then.
   */
  write(entries: readonly AuditEntry[]): Promise<void>
  /** Returns what is kept about a user, for `exportModules`. */
  export?(userId: string): Promise<readonly AuditEntry[]>
  /** Frees what the sink has opened. It isn't used afterwards. */
  close?(): Promise<void>
}

/** Options of {@link audit}. */
export interface AuditOptions {
  /**
   * Each gets every entry. One that fails doesn't keep the others from it.
   *
   * @default one that writes each entry as a line of JSON with `console.log`
   */
  readonly sinks?: readonly AuditSink[] | undefined
  /**
   * How long a request waits for a sink, in milliseconds. Once a sink has been too slow or has failed, no request waits for it until it has
   * caught up. At most 2500. @default 1000
   */
  readonly timeoutMs?: number | undefined
  /** How many entries wait in memory for a sink that fails. Further ones are lost, counted and reported. @default 10000 */
  readonly maxWaiting?: number | undefined
}

/** What is left after a flush. */
export interface Flushed {
  /** Entries that no sink call has confirmed, over all sinks. */
  readonly waiting: number
  /** Entries that were lost since the start, over all sinks. */
  readonly lost: number
}

/** Functions for server code, as the member `audit` of what the initializer returns. */
export interface AuditServer {
  /** Tries once more to write what waits. It never rejects. */
  flush(): Promise<Flushed>
  /** Flushes, and closes the sinks. Call it when the process ends. */
  close(): Promise<Flushed>
}

const toConsole: AuditSink = {
  name: "console",
  async write(entries) {
    for (const line of linesOf(entries)) console.log(line)
  },
}

export const defaults: Required<{ [K in keyof AuditOptions]: NonNullable<AuditOptions[K]> }> = {
  sinks: [toConsole],
  timeoutMs: 1000,
  maxWaiting: 10_000,
}

/** Core waits for 3 seconds for all handlers of an event. */
const longestMs = 2500

export function problemsOf({ sinks = defaults.sinks, timeoutMs, maxWaiting }: AuditOptions): readonly string[] {
  const names = sinks.map(({ name }) => name)
  return [
    ...(sinks.length === 0 ? ["`sinks` is empty. Add one, such as `ndjson(process.stdout)`"] : []),
    ...(new Set(names).size < names.length ? ["Two `sinks` have the same name. Give each a name of its own"] : []),
    ...(isCount(timeoutMs) && (timeoutMs ?? 0) <= longestMs
      ? []
      : [`\`timeoutMs\` is a number of milliseconds, from 1 to ${longestMs}`]),
    ...(isCount(maxWaiting) ? [] : ["`maxWaiting` is a number of entries, from 1 up"]),
  ]
}

function isCount(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 1)
}
