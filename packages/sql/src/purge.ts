import type { Store } from "./store.js"

/** Deletes rows that expired before a date, and returns their numbers. */
export async function purge(
  store: Store,
  before: Date,
): Promise<{ sessions: number; verificationTokens: number; rateLimits: number }> {
  const { db, remove } = store
  return {
    sessions: await removeExpired(store, "sessions", before),
    verificationTokens: await removeExpired(store, "verification_tokens", before),
    rateLimits: await remove(db.deleteFrom("rate_limits").where("resets", "<", before.getTime())),
  }
}

async function removeExpired(
  { db, codec, remove }: Store,
  table: "sessions" | "verification_tokens",
  before: Date,
): Promise<number> {
  return remove(db.deleteFrom(table).where("expires", "<", codec.instant(before)))
}
