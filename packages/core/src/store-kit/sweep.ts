/** Options of `sweep`. */
export interface SweepOptions {
  /** Deletes what expired before this date. @default now */
  readonly before?: Date
  /** Rows per statement. @default 1000 */
  readonly batchSize?: number
  /** Milliseconds between two statements. @default 0 */
  readonly pauseMs?: number
  /** Stops between two statements. */
  readonly signal?: AbortSignal
  /** Called after each statement. `table` is the name of the table in the database, or of the model with Prisma. */
  onBatch?(deleted: { readonly table: string; readonly rows: number }): void
}

/** The numbers of deleted rows. */
export interface Swept {
  readonly sessions: number
  readonly verificationTokens: number
  readonly rateLimits: number
  readonly records: number
}

/** A table from which {@link sweepTable} deletes. */
export interface SweptTable {
  readonly name: string
  /** Deletes up to this many expired rows. Returns how many it found and deleted. */
  deleteBatch(batchSize: number): Promise<{ readonly found: number; readonly deleted: number }>
}

/**
 * Deletes the expired rows of a table in batches, so that no statement locks many rows. Returns their number.
 *
 * @param table `undefined`: there is none
 * @throws RangeError if `batchSize` isn't a positive integer
 * @example
 * ```ts
 * import { sweepTable, type SweptTable } from "@latchkey/core/adapters"
 * export const sweep = (sessions: SweptTable) => sweepTable(sessions, { batchSize: 100 })
 * ```
 */
export async function sweepTable(table: SweptTable | undefined, options: SweepOptions): Promise<number> {
  const { batchSize = 1000 } = options
  if (!Number.isInteger(batchSize) || batchSize < 1) {
    throw new RangeError("`batchSize` isn't a positive integer. Pass the number of rows per statement.")
  }
  return table === undefined ? 0 : deleteBatches(table, batchSize, options)
}

async function deleteBatches(table: SweptTable, batchSize: number, options: SweepOptions): Promise<number> {
  const { pauseMs = 0, signal, onBatch } = options
  let total = 0
  const isStopped = () => signal?.aborted === true
  while (!isStopped()) {
    const { found, deleted } = await table.deleteBatch(batchSize)
    total += deleted
    if (found > 0) onBatch?.({ table: table.name, rows: deleted })
    if (found < batchSize) break
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return total
}
