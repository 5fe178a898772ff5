import type { Bump, NewRecord, RecordIndex, RecordPage, RecordStore, RecordWrite, StoredRecord } from "./records.js"

/**
 * Whether a write that happens now treats the record as absent.
 *
 * @example
 * ```ts
 * import { isExpiredRecord } from "@latchkey/core/adapters"
 * const isGone = isExpiredRecord({ expiresAt: new Date(0) }, new Date()) // true
 * ```
 */
export function isExpiredRecord({ expiresAt }: Pick<NewRecord, "expiresAt">, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}

const kinds = /^[a-z0-9._-]{1,64}$/
const longestText = 255
const mostBytes = 256 * 1024
const mostWrites = 20

/**
 * Checks that every store can keep a record.
 *
 * @throws TypeError if it's too long, or its kind has other characters
 * @example
 * ```ts
 * import { assertRecord, type NewRecord } from "@latchkey/core/adapters"
 * export const insert = (record: NewRecord) => assertRecord(record)
 * ```
 */
export function assertRecord({ kind, key, index1, index2, data }: NewRecord): void {
  if (!kinds.test(kind)) {
    throw new TypeError(
      `The kind "${kind}" isn't valid. Use 1 to 64 characters of a-z, 0-9, dot, underscore and hyphen.`,
    )
  }
  if ([key, index1 ?? "", index2 ?? ""].some(({ length }) => length > longestText)) {
    throw new TypeError(`A key or index of ${kind} is too long. Use at most ${longestText} characters.`)
  }
  if (new TextEncoder().encode(data).length > mostBytes) {
    throw new TypeError(`The data of ${kind} is too long. Use at most ${mostBytes / 1024} KiB.`)
  }
}

/**
 * Checks what every store requires of a batch.
 *
 * @throws TypeError if it has more than 20 writes, two of one record, or one of another owner
 * @example
 * ```ts
 * import { assertBatch, type RecordWrite } from "@latchkey/core/adapters"
 * export const batch = (owner: string, writes: readonly RecordWrite[]) => assertBatch(owner, writes)
 * ```
 */
export function assertBatch(owner: string, writes: readonly RecordWrite[]): void {
  if (writes.length > mostWrites) throw new TypeError(`A batch has at most ${mostWrites} writes. Divide it.`)
  const names = writes.map(nameOf)
  if (new Set(names).size < names.length) throw new TypeError("A batch writes the same record twice. Write it once.")
  for (const each of writes) {
    if (each.write === "remove") continue
    assertRecord(each.record)
    if (each.record.owner !== owner)
      throw new TypeError("A record of the batch has another owner. Write it separately.")
  }
}

/**
 * The writes of a batch in an order that is the same for every batch, so that two batches never wait for each other's rows.
 *
 * @example
 * ```ts
 * import { inLockOrder } from "@latchkey/core/adapters"
 * const [first] = inLockOrder([
 *   { write: "remove", kind: "k", key: "b" },
 *   { write: "remove", kind: "k", key: "a" },
 * ]) // the one of "a"
 * ```
 */
export function inLockOrder(writes: readonly RecordWrite[]): readonly RecordWrite[] {
  return writes.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

function nameOf(write: RecordWrite): string {
  const { kind, key } = write.write === "remove" ? write : write.record
  return `${kind}:${key}`
}

/**
 * The field of an index, and its value.
 *
 * @example
 * ```ts
 * import { indexEntry } from "@latchkey/core/adapters"
 * const [field, value] = indexEntry({ owner: "ada" }) // "owner", "ada"
 * ```
 */
export function indexEntry(index: RecordIndex): readonly ["owner" | "index1" | "index2", string] {
  if ("owner" in index) return ["owner", index.owner]
  return "index1" in index ? ["index1", index.index1] : ["index2", index.index2]
}

/**
 * Makes a page of the records that a store found when it looked for one more than the limit.
 *
 * @example
 * ```ts
 * import { pageOf, type StoredRecord } from "@latchkey/core/adapters"
 * export const page = (found: readonly StoredRecord[]) => pageOf(found, 10).next
 * ```
 */
export function pageOf(found: readonly StoredRecord[], limit: number): RecordPage {
  const records = found.slice(0, limit)
  return found.length > limit ? { records, next: records.at(-1)?.key } : { records }
}

/**
 * `bump` for a store that has no counters. Each attempt that fails means that another call has counted, and at most as many do as
 * the limit allows.
 *
 * @example
 * ```ts
 * import { type Bump, bumpBySwapping, type RecordStore } from "@latchkey/core/adapters"
 * export const bump = (store: RecordStore, counter: Bump) => bumpBySwapping(store, counter)
 * ```
 */
export async function bumpBySwapping(
  store: Pick<RecordStore, "get" | "insert" | "swap">,
  bump: Bump,
): Promise<number | null> {
  const { kind, key, owner, limit, expiresAt, now } = bump
  for (;;) {
    const found = await store.get(kind, key)
    const current = found && !isExpiredRecord(found, now) ? found : null
    const count = Number(current?.data ?? 0)
    if (count >= limit) return null
    const data = String(count + 1)
    const isStored = current
      ? await store.swap({ ...current, data }, now)
      : await store.insert({ kind, key, owner, index1: null, index2: null, data, expiresAt }, now)
    if (isStored) return count + 1
  }
}
