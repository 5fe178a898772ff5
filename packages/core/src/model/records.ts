import type { Awaitable } from "./user.js"

/** An entry that a module keeps. `kind` and `key` name it. */
export interface StoredRecord {
  /** The module and its record, such as `totp.secret`. At most 64 characters of `a-z`, `0-9`, `.`, `_` and `-`. */
  readonly kind: string
  /** At most 255 characters, compared exactly: `a`, `A`, `a ` and `á` are four keys. */
  readonly key: string
  /** The id of the user it belongs to, compared as exactly. `deleteUser` removes it. `null`: no user's. */
  readonly owner: string | null
  /** Values to find it by, each at most 255 characters and compared as exactly. */
  readonly index1: string | null
  readonly index2: string | null
  /** JSON text, up to 256 KiB. */
  readonly data: string
  /** 1 after `insert`, and one more after each `swap`. A store takes it back as it gave it. */
  readonly version: number
  /** `null`: never. To the millisecond. */
  readonly expiresAt: Date | null
}

export type NewRecord = Omit<StoredRecord, "version">

/** One of the three. */
export type RecordIndex = { readonly owner: string } | { readonly index1: string } | { readonly index2: string }

export interface RecordPage {
  readonly records: readonly StoredRecord[]
  /** What `after` has to be for the following page. `undefined`: this was the last one. */
  readonly next?: string | undefined
}

export type RecordWrite =
  | { readonly write: "insert"; readonly record: NewRecord }
  | { readonly write: "swap"; readonly record: StoredRecord }
  | { readonly write: "remove"; readonly kind: string; readonly key: string }

/** A counter with a limit. It's a record whose `data` is the count. */
export interface Bump {
  readonly kind: string
  readonly key: string
  readonly owner: string | null
  readonly limit: number
  /** When the first count ends. Later ones keep it. */
  readonly expiresAt: Date
  readonly now: Date
}

/**
 * Where modules keep their data: one table, collection or set of keys for all of them. Each method is one atomic step, also between
 * processes, unless `atomic` says otherwise. Reads may return records that have expired: the caller compares `expiresAt` with a
 * clock of its own. Writes get the time as `now`, and treat a record that has expired by then as absent.
 */
export interface RecordStore {
  /** `"process"`: steps are atomic within one process only. */
  readonly atomic: "global" | "process"
  get(kind: string, key: string): Awaitable<StoredRecord | null>
  /** Ordered by `key`, byte by byte or in another order that doesn't change. */
  find(
    kind: string,
    index: RecordIndex,
    page: { readonly limit: number; readonly after?: string },
  ): Awaitable<RecordPage>
  /**
   * All records of a kind, in any order. One that is there until the last page is on at least one page. A page has about `limit`
   * records, or none, also if another one follows.
   */
  list(kind: string, page: { readonly limit: number; readonly after?: string }): Awaitable<RecordPage>
  /** Stores a record. `false`: there is one with this kind and key. */
  insert(record: NewRecord, now: Date): Awaitable<boolean>
  /** Replaces all of a record if its version is still `record.version`. `false`: it has another one, or is gone or expired. */
  swap(record: StoredRecord, now: Date): Awaitable<boolean>
  /** Reads and deletes a record, so that only one of several parallel calls gets it. */
  take(kind: string, key: string): Awaitable<StoredRecord | null>
  /** Adds one, and returns the new count. `null`: the limit is reached, and nothing changed. */
  bump(bump: Bump): Awaitable<number | null>
  /** Deletes a record, if there is one. */
  remove(kind: string, key: string): Awaitable<void>
  /** Does all writes, or none of them: `false`. At most 20, each of another record, and each record has this owner. */
  batch(owner: string, writes: readonly RecordWrite[], now: Date): Awaitable<boolean>
  /** Deletes every record of an owner, of any kind. */
  removeOwned(owner: string): Awaitable<void>
}

/** What to do if modules need records, and there are none. */
export const recordsHint =
  "Use an adapter of Latchkey, or set `records` to the records of one, such as `records: postgres(pool).records`"
