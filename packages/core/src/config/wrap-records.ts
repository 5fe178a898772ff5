import type { RecordStore } from "../model/records.js"
import { toAdapterError } from "./wrap-adapter.js"

/** Turns errors of a store into `AdapterError`s. */
export function wrapRecords(store: RecordStore): RecordStore {
  const guarded = <A extends unknown[], T>(name: string, call: (...args: A) => T | PromiseLike<T>) => {
    return async (...args: A): Promise<T> => {
      try {
        return await call.apply(store, args)
      } catch (cause) {
        throw toAdapterError(cause, `records.${name}`)
      }
    }
  }
  return {
    atomic: store.atomic,
    get: guarded("get", store.get),
    find: guarded("find", store.find),
    insert: guarded("insert", store.insert),
    swap: guarded("swap", store.swap),
    take: guarded("take", store.take),
    bump: guarded("bump", store.bump),
    remove: guarded("remove", store.remove),
    batch: guarded("batch", store.batch),
    removeOwned: guarded("removeOwned", store.removeOwned),
  }
}
