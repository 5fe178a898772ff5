import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import {
  accountMethods,
  type Adapter,
  type AdapterUser,
  type AccountMethods,
  type AuthenticatorMethods,
  authenticatorMethods,
  authenticatorsIn,
  entitiesIn,
  type RecordStore,
  type SessionMethods,
  sessionMethods,
  type SweepOptions,
  type Swept,
  type TokenMethods,
  tokenMethods,
  tokensIn,
} from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { dialectOf, type DrizzleDatabase, type Queries } from "./database.js"
import { surviveLostConnections } from "./lost-connections.js"
import { createRateLimitStore } from "./rate-limits.js"
import { createRecordStore, type HasRecords, recordsExist } from "./records.js"
import { accountOf, sessionOf } from "./rows.js"
import { sessionReader } from "./sessions.js"
import { createStore, type Store } from "./store.js"
import { sweep } from "./sweep.js"
import { tableIn } from "./application-table.js"
import { type DrizzleTables, modelsOf, type UsersTable } from "./tables.js"
import { methodsForUsers } from "./users.js"

/** Options of {@link drizzle}. */
export interface DrizzleOptions {
  /**
   * Whether PostgreSQL keeps the statement that reads a session, so that it plans it only once per connection. This doesn't work
   * behind a pooler in transaction mode that doesn't support prepared statements.
   *
   * @default false
   */
  readonly prepare?: boolean
}

/** A user as your table stores it. */
export type StoredUser<Users extends UsersTable> = AdapterUser &
  Omit<Users["$inferSelect"], keyof AdapterUser | "extra">

/** What your table needs for a new user. */
export type NewUser<Users extends UsersTable> = AdapterUser & Omit<Users["$inferInsert"], keyof AdapterUser | "extra">

/** What can be changed of a user. */
export type UserChanges<Users extends UsersTable> = Partial<NewUser<Users>> & Pick<AdapterUser, "id">

type Always =
  | "deleteUser"
  | keyof AccountMethods
  | Exclude<keyof SessionMethods, "getSessionAndUser" | "describeSession">
  | keyof TokenMethods
  | Exclude<keyof AuthenticatorMethods, "describeAuthenticator">

/**
 * An adapter over tables of Drizzle. `Users` is your table of users, whose columns are fields of the users.
 *
 * - `describeSession` and `describeAuthenticator` exist if the table has a text column `details`.
 * - `rateLimits` exists if you pass the table `rateLimits`.
 * - `records` exists if you pass the table `records`, and with PostgreSQL and MySQL only where `transaction` does.
 * - `transaction` exists with PostgreSQL, MySQL and libSQL, except over HTTP.
 */
export interface DrizzleSessionAdapter<Users extends UsersTable = UsersTable>
  extends Required<Pick<Adapter, Always>>,
    Pick<Adapter, "describeSession" | "describeAuthenticator" | "transaction"> {
  createUser(user: NewUser<Users>): Promise<StoredUser<Users>>
  getUser(id: string): Promise<StoredUser<Users> | null>
  getUserByEmail(email: string): Promise<StoredUser<Users> | null>
  getUserByAccount(account: {
    readonly provider: string
    readonly providerAccountId: string
  }): Promise<StoredUser<Users> | null>
  updateUser(user: UserChanges<Users>): Promise<StoredUser<Users>>
  getSessionAndUser(
    sessionToken: string,
  ): Promise<{ session: Awaited<ReturnType<Required<Adapter>["createSession"]>>; user: StoredUser<Users> } | null>
  readonly rateLimits?: RateLimitStore | undefined
  readonly records?: RecordStore | undefined
  /**
   * Deletes expired sessions, verification tokens, rate limits and records in batches, and returns their numbers. The engine ignores
   * expired rows, so this only frees space.
   *
   * @throws RangeError if `batchSize` isn't a positive integer
   */
  sweep(options?: SweepOptions): Promise<Swept>
}

/** The table of users among your tables. */
export type UsersOf<Tables extends DrizzleTables> = Tables extends { readonly users: infer Users extends UsersTable }
  ? Users
  : Tables extends { readonly usersTable: infer Users extends UsersTable }
    ? Users
    : UsersTable

/**
 * Creates an adapter for a database of Drizzle. Without `tables`, it uses the tables of `@auth/drizzle-adapter` under their
 * default names. `@latchkey/drizzle/pg`, `/mysql` and `/sqlite` have ready tables.
 *
 * The type of the adapter has the columns of your table of users.
 *
 * @throws TypeError if there is no such option
 * @throws Error if `db` isn't a database of Drizzle, or a table is one of another database or lacks a column
 * @example
 * ```ts
 * import { drizzle } from "@latchkey/drizzle"
 * import * as tables from "@latchkey/drizzle/pg"
 * import { drizzle as connect } from "drizzle-orm/node-postgres"
 * const adapter = drizzle(connect(process.env["DATABASE_URL"] ?? ""), tables)
 * ```
 */
export function drizzle<const Tables extends DrizzleTables = {}>(
  db: DrizzleDatabase,
  tables?: Tables,
  options: DrizzleOptions = {},
): DrizzleSessionAdapter<UsersOf<Tables>> {
  assertOptions("drizzle", options, { prepare: anything } satisfies EveryOption<DrizzleOptions>)
  const dialect = dialectOf(db)
  surviveLostConnections(db)
  const models = modelsOf(dialect, tables ?? {})
  // `dialectOf` has checked the class, and the classes of Drizzle have these methods.
  const queries = db as unknown as Queries
  const store = createStore({ db: queries, dialect, models, prepare: options.prepare ?? false })
  const hasRecords = models.records ? recordsExist(dialect, models.records) : async () => false
  const canBatch = store.hasTransactions || dialect === "sqlite"
  const adapter: DrizzleSessionAdapter = {
    ...methodsOf(store, hasRecords),
    ...(models.records && canBatch && { records: createRecordStore(store, models.records) }),
    ...(models.rateLimits && { rateLimits: createRateLimitStore(store, models.rateLimits) }),
    sweep: async (sweepOptions) => sweep(store, await hasRecords(store), sweepOptions),
  }
  return adapter
}

/**
 * The same as {@link drizzle}, under the name that `@auth/drizzle-adapter` uses.
 *
 * @throws TypeError if there is no such option
 * @throws Error if `db` isn't a database of Drizzle, or a table is one of another database or lacks a column
 * @example
 * ```ts
 * import { DrizzleAdapter } from "@latchkey/drizzle"
 * import { drizzle } from "drizzle-orm/node-postgres"
 * const adapter = DrizzleAdapter(drizzle(process.env["DATABASE_URL"] ?? ""))
 * ```
 */
export function DrizzleAdapter<const Tables extends DrizzleTables = {}>(
  db: DrizzleDatabase,
  tables?: Tables,
  options: DrizzleOptions = {},
): DrizzleSessionAdapter<UsersOf<Tables>> {
  return drizzle(db, tables, options)
}

function methodsOf(
  store: Store,
  hasRecords: HasRecords,
): Omit<DrizzleSessionAdapter, "rateLimits" | "records" | "sweep"> {
  const { accounts, sessions, verificationTokens, authenticators } = store.models
  const accountTable = tableIn(store, accounts, ["provider", "providerAccountId"])
  const methods = {
    ...methodsForUsers(store, hasRecords),
    ...accountMethods(entitiesIn(accountTable, { decode: accountOf, rest: "extra" })),
    ...sessionMethods(entitiesIn(tableIn(store, sessions, ["sessionToken"]), { decode: sessionOf })),
    getSessionAndUser: sessionReader(store),
    ...tokenMethods(tokensIn(tableIn(store, verificationTokens, ["identifier", "token"]))),
    ...authenticatorMethods(authenticatorsIn(tableIn(store, authenticators, ["credentialID"]))),
    ...(store.hasTransactions && {
      transaction: <T>(work: (adapter: Adapter) => Promise<T>) =>
        store.transact((inside) => work(methodsOf(inside, hasRecords) as Adapter)),
    }),
  }
  return methods as Omit<DrizzleSessionAdapter, "rateLimits" | "records" | "sweep">
}
