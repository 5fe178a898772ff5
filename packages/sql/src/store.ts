import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "@latchkey/core/adapters"
import type { CompiledQuery, Kysely, QueryResult } from "kysely"
import { explain } from "./failures.js"
import type { Flavor } from "./flavors/flavor.js"
import type { Layout, TableMap } from "./layouts/table-map.js"
import type { Executor } from "./queries.js"
import { TransactionAttempt, withRetries } from "./retries.js"
import { Statements } from "./statements.js"
import type { RecordsTable } from "./records-table.js"
import { createTable, type Table } from "./table.js"

export interface Tables {
  readonly layout: Layout
  readonly users: Table<AdapterUser>
  readonly accounts: Table<AdapterAccount>
  readonly sessions: Table<AdapterSession>
  readonly verificationTokens: Table<VerificationToken>
  readonly authenticators: Table<AdapterAuthenticator>
}

/** Runs the queries of this package in a database or a transaction. */
export interface Store extends Executor {
  /** The tables, after the layout is known and the migrations have run. */
  tables(): Promise<Tables>
  readonly records: RecordsTable
  /** Finds the layout again at the next call. */
  forget(): void
  /** Runs `work` in the current transaction, or in a new one. After a conflict with another transaction, it runs again. */
  transact<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
}

export interface StoreOptions {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  /** D1 has no transactions in which one statement depends on the result of another. */
  readonly hasTransactions: boolean
  readonly records: RecordsTable
  /** Finds the layout, and runs the migrations if it's the own one. */
  layout(): Promise<Layout>
}

export function createStore(
  options: StoreOptions,
  statements: Statements = new Statements(options.db),
  attempt?: TransactionAttempt,
): Store {
  const { db, flavor, records, layout, hasTransactions } = options
  let tables: Promise<Tables> | undefined
  const store: Store = {
    flavor,
    statements,
    records,
    run: (query: CompiledQuery, map: TableMap): Promise<QueryResult<unknown>> =>
      withExplainedErrors(async () => {
        const execute = async () => db.executeQuery(query)
        // In a transaction, the whole transaction runs again.
        return attempt ? attempt.execute(execute) : withRetries(execute)
      }, map),
    tables: () => {
      if (tables) return tables
      const opening = withExplainedErrors(async () => withRetries(layout)).then((found) => openTables(store, found))
      tables = opening
      // The database may be available at the next call.
      opening.catch(() => {
        if (tables === opening) tables = undefined
      })
      return opening
    },
    forget: () => {
      tables = undefined
      statements.forget()
    },
    transact: async (work) => {
      if (attempt) return work(store)
      const { layout: found } = await store.tables()
      const inside = (trx: Kysely<unknown>) => {
        const next = new TransactionAttempt()
        return next.complete(work(createStore({ ...options, db: trx, layout: async () => found }, statements, next)))
      }
      return withExplainedErrors(async () => withRetries(async () => db.transaction().execute(inside)))
    },
    together: async (work) => (hasTransactions ? store.transact(work) : work(store)),
  }
  return store
}

function openTables(executor: Executor, layout: Layout): Tables {
  const { users, accounts, sessions, verificationTokens, authenticators } = layout.tables
  return {
    layout,
    users: createTable(executor, users),
    accounts: createTable(executor, accounts),
    sessions: createTable(executor, sessions),
    verificationTokens: createTable(executor, verificationTokens),
    authenticators: createTable(executor, authenticators),
  }
}

async function withExplainedErrors<Result>(work: () => Promise<Result>, map?: TableMap): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explain(error, map?.name)
  }
}
