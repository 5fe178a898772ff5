import type { Adapter } from "@latchkey/core/adapters"
import { reasonOf } from "../failure.js"
import type { Inspection } from "./job.js"
import type { Recorder } from "./recorder.js"

/** Asks the store for what nobody has: a table or a column that is missing shows, and nothing is written. */
export async function storeState(
  adapter: Adapter,
  { newDatabases }: Recorder,
  timeout: number,
): Promise<Inspection["store"]> {
  const [database] = newDatabases
  if (database !== undefined)
    return { state: "new", words: `${database} is not there yet; it and its tables are made at the first use` }
  const nobody = "latchkey-doctor@nowhere.invalid"
  const questions: readonly (() => unknown)[] = [
    () => adapter.getUserByEmail?.(nobody),
    () => adapter.getUserByAccount?.({ provider: nobody, providerAccountId: nobody }),
    () => adapter.getSessionAndUser?.(nobody),
    // Deletes what it finds, which is nothing.
    () => adapter.useVerificationToken?.({ identifier: nobody, token: nobody }),
    () => adapter.getAuthenticator?.(nobody),
  ]
  try {
    for (const question of questions) await within(question(), timeout)
    return { state: "fine", words: "the store answers, and has the tables and columns that are asked for" }
  } catch (error) {
    return { state: "broken", words: reasonOf(error) }
  }
}

async function within(work: unknown, milliseconds: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
