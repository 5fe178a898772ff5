import { sweepRecords } from "./records.js"
import { allSessions, removeSession } from "./sessions.js"
import type { Store } from "./store.js"
import { allTokens, takeToken } from "./tokens.js"

/** Options of `sweep`. */
export interface SweepOptions {
  /** Deletes what expired before this date. @default now */
  readonly before?: Date
  /** Stops before the next row. */
  readonly signal?: AbortSignal
}

/** How many rows `sweep` deleted. */
export interface Swept {
  readonly sessions: number
  readonly verificationTokens: number
  /** Always 0: this adapter doesn't store rate limits. */
  readonly rateLimits: number
  readonly records: number
}

export async function sweep(store: Store, { before = new Date(), signal }: SweepOptions = {}): Promise<Swept> {
  const isExpired = ({ expires }: { readonly expires: Date }) => expires.getTime() < before.getTime()
  return {
    // A request may have extended the session since it was read.
    sessions: await count(allSessions(store), signal, async (session) =>
      isExpired(session) ? removeSession(store, session.sessionToken, isExpired) : undefined,
    ),
    verificationTokens: await count(allTokens(store), signal, async (token) =>
      isExpired(token) ? takeToken(store, token) : undefined,
    ),
    rateLimits: 0,
    records: await sweepRecords(store, before, signal),
  }
}

async function count<Row>(
  rows: AsyncIterable<Row>,
  signal: AbortSignal | undefined,
  remove: (row: Row) => Promise<Row | undefined>,
): Promise<number> {
  let deleted = 0
  for await (const row of rows) {
    if (signal?.aborted) break
    if ((await remove(row)) !== undefined) deleted += 1
  }
  return deleted
}
