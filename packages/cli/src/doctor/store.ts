import type { Adapter } from "@latchkey/core/adapters"
import { reasonOf } from "../failure.js"
import type { Inspection } from "./job.js"
import type { Recorder } from "./recorder.js"

/** Queries the database for entries that don't exist. A missing table or column fails, and nothing is written. */
export async function storeState(
  adapter: Adapter,
  { newDatabases }: Recorder,
  timeout: number,
): Promise<Inspection["store"]> {
  const [database] = newDatabases
  if (database !== undefined)
    return { state: "new", words: `${database} doesn't exist yet. The first use creates it and its tables.` }
  const missing = "latchkey-doctor@nowhere.invalid"
  const queries: readonly (() => unknown)[] = [
    () => adapter.getUserByEmail?.(missing),
    () => adapter.getUserByAccount?.({ provider: missing, providerAccountId: missing }),
    () => adapter.getSessionAndUser?.(missing),
    // This deletes a token if it finds one. This one doesn't exist.
    () => adapter.useVerificationToken?.({ identifier: missing, token: missing }),
    () => adapter.getAuthenticator?.(missing),
  ]
  try {
    for (const query of queries) await within(query(), timeout)
    return { state: "fine", words: "reachable, with the required tables and columns" }
  } catch (error) {
    return { state: "broken", words: reasonOf(error) }
  }
}

async function within(work: unknown, milliseconds: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${milliseconds / 1000} s`)), milliseconds)
  })
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
