import { type SweepOptions, type Swept, sweepTable } from "@latchkey/core/adapters"
import { type Delegate, type Fields, typeOf } from "./client.js"
import type { Store } from "./store.js"

/**
 * Deletes expired rows.
 *
 * @param hasRecords whether the table of records exists
 */
export async function sweep(store: Store, hasRecords: boolean, options: SweepOptions = {}): Promise<Swept> {
  const { session, verificationToken, rateLimit, record } = store.models
  const { before = new Date() } = options
  const end = rateLimit && typeOf(rateLimit, "resets") === "BigInt" ? BigInt(before.getTime()) : before.getTime()
  const run = (name: string, model: Delegate | undefined, key: string, where: Fields) => {
    const table = model && {
      name,
      deleteBatch: (batchSize: number) => deleteBatch(store, { model, key, where, batchSize }),
    }
    return sweepTable(table, options)
  }
  const expired = { expires: { lt: before } }
  return {
    sessions: await run("session", session, "sessionToken", expired),
    verificationTokens: await run("verificationToken", verificationToken, "token", expired),
    rateLimits: await run("rateLimit", rateLimit, "key", { resets: { lt: end } }),
    records: hasRecords ? await run("record", record, "key", { expiresAt: { lt: BigInt(before.getTime()) } }) : 0,
  }
}

interface Batch {
  readonly model: Delegate
  readonly key: string
  readonly where: Fields
  readonly batchSize: number
}

async function deleteBatch(store: Store, { model, key, where, batchSize }: Batch) {
  const found = await store.run(() => model.findMany({ where, select: { [key]: true }, take: batchSize }))
  if (found.length === 0) return { found: 0, deleted: 0 }
  const keys = found.map((row) => row[key])
  // The condition again, because a session may have been extended meanwhile.
  const { count } = await store.run(() => model.deleteMany({ where: { ...where, [key]: { in: keys } } }))
  return { found: found.length, deleted: count }
}
