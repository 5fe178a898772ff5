import { epochField, epochOf } from "./codec.js"
import type { Owners } from "./sessions.js"
import type { Store } from "./store.js"
import { changeUser, readUser, requireUser, userOf } from "./user-records.js"

/** Users in Redis. The epoch is a field of the user, which every read of a session needs anyway. */
export function ownersIn(store: Store): Owners {
  return {
    requireEpoch: async (userId) => (await requireUser(store, userId)).epoch,
    find: async (userId, epoch) => {
      const stored = await readUser(store, userId)
      return stored === null || epochOf(stored) !== epoch ? null : userOf(stored)
    },
    advanceEpoch: async (userId) => {
      await changeUser(store, userId, (fields) => {
        const before: unknown = fields[epochField]
        return { ...fields, [epochField]: (typeof before === "number" ? before : 0) + 1 }
      })
    },
  }
}
