import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import type { Storage } from "unstorage"
import { accountMethods } from "./accounts.js"
import { authenticatorMethods } from "./authenticators.js"
import type { UnstorageAdapterOptions } from "./options.js"
import { recordStore } from "./records.js"
import { sessionMethods } from "./sessions.js"
import { createStore } from "./store.js"
import { sweep, type SweepOptions, type Swept } from "./sweep.js"
import { tokenMethods } from "./tokens.js"
import { userMethods } from "./users.js"

/** An adapter over a storage of unstorage. It has all methods except for `transaction` and `rateLimits`. */
export interface LatchkeyUnstorageAdapter extends Required<Omit<Adapter, "transaction" | "rateLimits" | "records">> {
  /** Where modules keep their data. The default for `records` of the configuration. */
  readonly records: RecordStore
  /**
   * Deletes sessions, verification tokens and records that expired before `before` (default: now). The engine ignores expired rows, so this
   * only frees space. It reads all of them, one batch after another.
   *
   * @returns the numbers of deleted rows
   */
  sweep(options?: SweepOptions): Promise<Swept>
}

// Not shared with `redis()`, which has the options of another published adapter.
const optionNames: EveryOption<UnstorageAdapterOptions> = {
  baseKeyPrefix: anything,
  accountKeyPrefix: anything,
  accountByUserIdPrefix: anything,
  emailKeyPrefix: anything,
  sessionKeyPrefix: anything,
  sessionByUserIdKeyPrefix: anything,
  userKeyPrefix: anything,
  verificationTokenKeyPrefix: anything,
  authenticatorKeyPrefix: anything,
  authenticatorUserKeyPrefix: anything,
  useItemRaw: anything,
}

/**
 * Creates an adapter for any driver of unstorage. It uses the keys of `@auth/unstorage-adapter`, so it reads what that adapter
 * wrote, and the other way around.
 *
 * A verification token is used once, and an email belongs to one user, within one process. With the driver `redis` of unstorage, that
 * also holds for several processes; other drivers have no atomic steps.
 *
 * @throws TypeError if `storage` isn't a storage of unstorage, or if there is no such option
 * @example
 * ```ts
 * import { unstorage } from "@latchkey/unstorage"
 * import { createStorage } from "unstorage"
 * import fsDriver from "unstorage/drivers/fs"
 *
 * const adapter = unstorage(createStorage({ driver: fsDriver({ base: "./data" }) }))
 * ```
 */
export function unstorage(storage: Storage, options: UnstorageAdapterOptions = {}): LatchkeyUnstorageAdapter {
  assertOptions("unstorage", options, optionNames)
  // As in the other adapters: the parts have the same names, but each store finds and writes its rows in its own way.
  const store = createStore(storage, options)
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    records: recordStore(store),
    sweep: (sweepOptions) => sweep(store, sweepOptions),
  }
}

/** {@link unstorage} with the name that it has in `@auth/unstorage-adapter`. */
export function UnstorageAdapter(storage: Storage, options: UnstorageAdapterOptions = {}): LatchkeyUnstorageAdapter {
  return unstorage(storage, options)
}
