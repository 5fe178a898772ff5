import type { Store } from "./store.js"

/** Deletes what expired before an instant, and counts it. */
export async function purge(store: Store, before: Date): Promise<{ sessions: number; verificationTokens: number }> {
  const [sessions, verificationTokens] = [
    await removeExpired(store, "sessions", before),
    await removeExpired(store, "verification_tokens", before),
  ]
  return { sessions, verificationTokens }
}

async function removeExpired(
  { db, codec, remove }: Store,
  table: "sessions" | "verification_tokens",
  before: Date,
): Promise<number> {
  return remove(db.deleteFrom(table).where("expires", "<", codec.instant(before)))
}
