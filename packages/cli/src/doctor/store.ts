import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { reasonOf } from "../failure.js"
import type { StoreState } from "./job.js"
import type { Recorder } from "./recorder.js"

const missing = "latchkey-doctor@nowhere.invalid"

/** A query for an entry that doesn't exist. */
interface Query {
  /** What it reads. */
  readonly table: string
  readonly run: () => unknown
}

/**
 * Queries the database for entries that don't exist. A missing table or column fails, and nothing is written. Tables that the
 * configuration doesn't use may be missing.
 *
 * @param types the types of the providers
 */
export async function storeState(
  config: AuthConfig,
  types: readonly string[],
  { newDatabases }: Recorder,
  timeout: number,
): Promise<StoreState | undefined> {
  const { adapter, session } = config
  const [database] = newDatabases
  if (adapter === undefined) return undefined
  if (database !== undefined)
    return { state: "new", words: `${database} doesn't exist yet. The first use creates it and its tables.` }
  const queries = [...queriesOf(adapter, types, session?.strategy !== "jwt"), ...recordQueries(config)]
  if (queries.length === 0) return { state: "unused", words: "not queried, because no sign-in uses it" }
  try {
    for (const { run } of queries) await within(run(), timeout)
    return { state: "fine", words: `reachable; checked the tables of ${queries.map(({ table }) => table).join(", ")}` }
  } catch (error) {
    return { state: "broken", words: reasonOf(error) }
  }
}

function queriesOf(adapter: Adapter, types: readonly string[], hasSessions: boolean): Query[] {
  const has = (...names: readonly string[]) => types.some((type) => names.includes(type))
  const account = { provider: missing, providerAccountId: missing }
  const query = (table: string, isUsed: boolean, method: unknown, run: () => unknown): Query[] =>
    isUsed && method !== undefined ? [{ table, run }] : []
  return [
    ...query("users", has("oauth", "oidc", "email", "webauthn"), adapter.getUserByEmail, () =>
      adapter.getUserByEmail?.(missing),
    ),
    ...query("accounts", has("oauth", "oidc"), adapter.getUserByAccount, () => adapter.getUserByAccount?.(account)),
    ...query("sessions", hasSessions, adapter.getSessionAndUser, () => adapter.getSessionAndUser?.(missing)),
    // This deletes a token if it finds one. This one doesn't exist.
    ...query("verification tokens", has("email"), adapter.useVerificationToken, () =>
      adapter.useVerificationToken?.({ identifier: missing, token: missing }),
    ),
    ...query("authenticators", has("webauthn"), adapter.getAuthenticator, () => adapter.getAuthenticator?.(missing)),
  ]
}

/** A module's record that doesn't exist. */
function recordQueries({ adapter, modules = [], records = adapter?.records }: AuthConfig): Query[] {
  if (records === undefined || modules.every((module) => module.records === undefined)) return []
  return [{ table: "records", run: () => records.get("latchkey.doctor", missing) }]
}

async function within(work: unknown, milliseconds: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${milliseconds / 1000} s`)), milliseconds)
  })
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
