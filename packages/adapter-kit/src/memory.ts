import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  RecordStore,
  StoredRecord,
  VerificationToken,
} from "@latchkey/core/adapters"
import { recordStore } from "./memory/records.js"
import { sessionMethods, tokenMethods } from "./memory/sessions.js"
import { type Table, type Tables, copyOut, draftOf, emptyTables } from "./memory/tables.js"
import { accountMethods, authenticatorMethods, userMethods } from "./memory/users.js"

/** Everything that is stored, in the order of creation. */
export interface Rows {
  readonly users: readonly AdapterUser[]
  readonly accounts: readonly AdapterAccount[]
  readonly sessions: readonly AdapterSession[]
  readonly verificationTokens: readonly VerificationToken[]
  readonly authenticators: readonly AdapterAuthenticator[]
  readonly records: readonly StoredRecord[]
}

/** An adapter that stores everything in memory. */
export interface MemoryAdapter extends Required<Omit<Adapter, "rateLimits" | "records">> {
  readonly records: RecordStore
  /** Returns a copy of everything that is stored, for assertions. */
  rows(): Rows
}

/**
 * Creates an adapter that stores everything in memory, for tests, examples and benchmarks. The data is lost when the process
 * ends. It has all methods and all optional capabilities. A taken email or account throws `UniqueViolation`. Deleting
 * a user deletes their accounts, sessions, passkeys and records. Expired rows are returned; the engine checks their expiry.
 *
 * @example
 * ```ts
 * import { memoryAdapter } from "@latchkey/adapter-kit/memory"
 * const adapter = memoryAdapter()
 * await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null })
 * console.log(adapter.rows().users.length) // 1
 * ```
 */
export function memoryAdapter(): MemoryAdapter {
  const tables = emptyTables()
  return { ...methodsOver(tables), records: recordStore(tables), rows: () => rowsOf(tables) }
}

function methodsOver(tables: Tables): Required<Omit<Adapter, "rateLimits" | "records">> {
  return {
    ...userMethods(tables),
    ...accountMethods(tables),
    ...sessionMethods(tables),
    ...tokenMethods(tables),
    ...authenticatorMethods(tables),
    transaction: async (work) => {
      const draft = draftOf(tables)
      const result = await work(methodsOver(draft.tables))
      draft.commit()
      return result
    },
  }
}

function rowsOf({ users, accounts, sessions, tokens, authenticators, records }: Tables): Rows {
  return {
    users: all(users),
    accounts: all(accounts),
    sessions: all(sessions),
    verificationTokens: all(tokens),
    authenticators: all(authenticators),
    records: all(records),
  }
}

function all<Row extends object>(table: Table<Row>): Row[] {
  return Array.from(table.values(), copyOut)
}
