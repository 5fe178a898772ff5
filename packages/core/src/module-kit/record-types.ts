import type { RecordWrite } from "../model/records.js"
import type { RecordType, RecordTypes, Value } from "./fields.js"

export interface WriteOptions {
  /** Seconds. @default never, and for `swap` as before */
  readonly expiresIn?: number
}

/** The records of one kind. */
export interface Records<T extends RecordType = RecordType> {
  get(key: KeyOf<T>): Promise<ValueOf<T> | null>
  /**
   * By the owner, or by an index: all of them, or a page if `page` is given. A page leaves out what has expired, so it may be short or
   * empty although another one follows. `after` is the `next` of the page before.
   */
  find(by: Partial<ValueOf<T>>, page?: { readonly limit?: number; readonly after?: string }): Promise<Found<T>>
  /** Those of all owners in any order, for example to count. Pages are as with `find`. */
  list(page?: { readonly limit?: number; readonly after?: string }): Promise<Found<T>>
  /** `false`: there is one with this key. */
  insert(value: ValueOf<T>, options?: WriteOptions): Promise<boolean>
  /**
   * Changes a record that `get` or `find` returned. `false`: it was changed or removed meanwhile, so read it again.
   *
   * @throws TypeError for an object that came from elsewhere
   */
  swap(before: ValueOf<T>, changes: Partial<ValueOf<T>>, options?: WriteOptions): Promise<boolean>
  /** Reads and deletes it, so that only one of several parallel calls gets it. */
  take(key: KeyOf<T>): Promise<ValueOf<T> | null>
  remove(key: KeyOf<T>): Promise<void>
  /** Writes for `context.batch`. */
  readonly writes: {
    insert(value: ValueOf<T>, options?: WriteOptions): Promise<RecordWrite>
    swap(before: ValueOf<T>, changes: Partial<ValueOf<T>>, options?: WriteOptions): Promise<RecordWrite>
    remove(key: KeyOf<T>): Promise<RecordWrite>
  }
}

export interface Found<T extends RecordType> {
  readonly items: readonly ValueOf<T>[]
  /** `undefined`: this was the last page. */
  readonly next: string | undefined
}

type ValueOf<T> = T extends RecordType<infer F> ? Value<F> : never
type KeyOf<T> = T extends RecordType<infer F, infer K> ? Pick<Value<F>, K & keyof Value<F>> : never

export type RecordsOf<R extends RecordTypes> = { readonly [name in keyof R]: Records<R[name]> }
