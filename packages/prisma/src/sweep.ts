import { type Delegate, type Fields, typeOf } from "./client.js"
import type { Store } from "./store.js"

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
  /** Called after each statement. `table` is the name of the model. */
  onBatch?(deleted: { readonly table: string; readonly rows: number }): void
}

/** The numbers of deleted rows. */
export interface Swept {
  readonly sessions: number
  readonly verificationTokens: number
  readonly rateLimits: number
  readonly records: number
}

/** Deletes expired rows in batches, so that no statement locks many rows. */
/** @param hasRecords whether the table of records exists */
export async function sweep(store: Store, hasRecords: boolean, options: SweepOptions = {}): Promise<Swept> {
  const { session, verificationToken, rateLimit, record } = store.models
  const { before = new Date(), batchSize = 1000 } = options
  if (!Number.isInteger(batchSize) || batchSize < 1) {
    throw new RangeError("`batchSize` isn't a positive integer. Pass the number of rows per statement.")
  }
  const end = rateLimit && typeOf(rateLimit, "resets") === "BigInt" ? BigInt(before.getTime()) : before.getTime()
  const run = async (table: string, model: Delegate | undefined, key: string, where: Fields) =>
    model ? sweepModel(store, { table, model, key, where, batchSize }, options) : 0
  const expired = { expires: { lt: before } }
  return {
    sessions: await run("session", session, "sessionToken", expired),
    verificationTokens: await run("verificationToken", verificationToken, "token", expired),
    rateLimits: await run("rateLimit", rateLimit, "key", { resets: { lt: end } }),
    records: hasRecords ? await run("record", record, "key", { expiresAt: { lt: BigInt(before.getTime()) } }) : 0,
  }
}

interface Batch {
  readonly table: string
  readonly model: Delegate
  readonly key: string
  readonly where: Fields
  readonly batchSize: number
}

async function sweepModel(store: Store, batch: Batch, options: SweepOptions): Promise<number> {
  const { pauseMs = 0, signal, onBatch } = options
  const { model, key, where, batchSize, table } = batch
  let total = 0
  const isStopped = () => signal?.aborted === true
  while (!isStopped()) {
    const found = await store.run(() => model.findMany({ where, select: { [key]: true }, take: batchSize }))
    if (found.length === 0) break
    const keys = found.map((row) => row[key])
    // The condition again, because a session may have been extended meanwhile.
    const { count } = await store.run(() => model.deleteMany({ where: { ...where, [key]: { in: keys } } }))
    total += count
    onBatch?.({ table, rows: count })
    if (found.length < batchSize) break
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return total
}
