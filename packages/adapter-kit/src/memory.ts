import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "@latchkey/core/adapters"
import { accountMethods } from "./memory/accounts.js"
import { authenticatorMethods } from "./memory/authenticators.js"
import { copyOut } from "./memory/copy.js"
import { sessionMethods } from "./memory/sessions.js"
import { draftOf, emptyTables, type Table, type Tables } from "./memory/tables.js"
import { tokenMethods } from "./memory/tokens.js"
import { userMethods } from "./memory/users.js"

/** Everything an adapter holds, in the order it was written. */
export interface Rows {
  readonly users: readonly AdapterUser[]
  readonly accounts: readonly AdapterAccount[]
  readonly sessions: readonly AdapterSession[]
  readonly verificationTokens: readonly VerificationToken[]
  readonly authenticators: readonly AdapterAuthenticator[]
}

export interface MemoryAdapter extends Required<Adapter> {
  /** A copy of everything that is stored now: for assertions. */
  rows(): Rows
}

/**
 * An adapter that keeps everything in this process and forgets it at the end: for tests, examples and
 * benchmarks. It has every method and every optional capability, copies values in and out, holds each e-mail
 * address and account once (a second one throws `UniqueViolation`), removes what belongs to a removed user, and never
 * looks at a clock: expired rows are returned as they are, judging them is the engine's part.
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
  return { ...methodsOver(tables), rows: () => rowsOf(tables) }
}

function methodsOver(tables: Tables): Required<Adapter> {
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

function rowsOf({ users, accounts, sessions, tokens, authenticators }: Tables): Rows {
  return {
    users: all(users),
    accounts: all(accounts),
    sessions: all(sessions),
    verificationTokens: all(tokens),
    authenticators: all(authenticators),
  }
}

function all<Row extends object>(table: Table<Row>): Row[] {
  return Array.from(table.values(), copyOut)
}
