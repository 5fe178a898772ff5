import type { RecordStore } from "@latchkey/core/adapters"

/** Records that remember their names, and fail when they're told to. */
export interface WatchedRecords extends RecordStore {
  /** Every record that the module has written, also if it's gone. */
  readonly written: readonly Named[]
  /** The write with this number fails, once, before or after it takes place. Returns whether it did. */
  failAt(write: number, when: Moment): () => boolean
}

export type Moment = "before" | "after"

interface Named {
  readonly kind: string
  readonly key: string
}

/** @param prefix of the kinds of the module */
export function watchRecords(records: RecordStore, prefix: string): WatchedRecords {
  const written = new Map<string, Named>()
  let planned: { left: number; readonly when: Moment } | undefined

  async function write<T>(touched: readonly Named[], work: () => T | PromiseLike<T>): Promise<T> {
    const own = touched.filter(({ kind }) => kind.startsWith(prefix))
    for (const { kind, key } of own) written.set(JSON.stringify([kind, key]), { kind, key })
    if (planned !== undefined && own.length > 0) planned.left -= 1
    const fails = planned?.left === 0 && own.length > 0 ? planned.when : undefined
    if (fails === "before") throw new Error("The connection to the database was lost")
    const result = await work()
    if (fails === "after") throw new Error("The connection to the database was lost after a write")
    return result
  }

  return {
    atomic: records.atomic,
    get: (kind, key) => records.get(kind, key),
    find: (kind, index, page) => records.find(kind, index, page),
    list: (kind, page) => records.list(kind, page),
    removeOwned: (owner) => records.removeOwned(owner),
    insert: (record, now) => write([record], () => records.insert(record, now)),
    swap: (record, now) => write([record], () => records.swap(record, now)),
    take: (kind, key) => write([{ kind, key }], () => records.take(kind, key)),
    bump: (bump) => write([bump], () => records.bump(bump)),
    remove: (kind, key) => write([{ kind, key }], () => records.remove(kind, key)),
    batch: (owner, writes, now) =>
      write(
        writes.map((each) => (each.write === "remove" ? each : each.record)),
        () => records.batch(owner, writes, now),
      ),
    get written() {
      return [...written.values()]
    },
    failAt(number, when) {
      const plan = { left: number, when }
      planned = plan
      return () => plan.left <= 0
    },
  }
}
