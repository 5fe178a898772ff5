import { neededColumns } from "@latchkey/core/adapters"
import { type Column, getTableColumns, getTableName, is, Table } from "drizzle-orm"
import type { Columns, Dialect } from "./database.js"
import { defaultTables as mysqlTables } from "./layouts/mysql.js"
import { defaultTables as pgTables } from "./layouts/pg.js"
import { defaultTables as sqliteTables } from "./layouts/sqlite.js"

type TableWith<Name extends string> = Table & Readonly<Record<Name, Column>>

/** A table of users. `name`, `image` and `extra` are optional, and other columns are fields of your users. */
export type UsersTable = TableWith<"id" | "email" | "emailVerified">

/** A table of accounts. Tokens are stored if they have a column, or if there's a text column `extra`. */
export type AccountsTable = TableWith<"userId" | "type" | "provider" | "providerAccountId">

/** A table of sessions. With a text column `details`, the account page names browsers. */
export type SessionsTable = TableWith<"sessionToken" | "userId" | "expires">

export type VerificationTokensTable = TableWith<"identifier" | "token" | "expires">

/** A table of passkeys. With a text column `details`, users can name them. */
export type AuthenticatorsTable = TableWith<
  | "credentialID"
  | "userId"
  | "providerAccountId"
  | "credentialPublicKey"
  | "counter"
  | "credentialDeviceType"
  | "credentialBackedUp"
>

/** What modules keep. */
export type RecordsTable = TableWith<"kind" | "key" | "owner" | "index1" | "index2" | "data" | "version" | "expiresAt">

/** Counts of sign-in attempts. */
export type RateLimitsTable = TableWith<"key" | "points" | "refused" | "resets">

/** Your tables. The names on the right are those of `@auth/drizzle-adapter`. */
export interface DrizzleTables {
  /** @default the table `user` of `@auth/drizzle-adapter` */
  readonly users?: UsersTable | undefined
  /** @default the table `account` of `@auth/drizzle-adapter` */
  readonly accounts?: AccountsTable | undefined
  /** @default the table `session` of `@auth/drizzle-adapter` */
  readonly sessions?: SessionsTable | undefined
  /** @default the table `verificationToken` of `@auth/drizzle-adapter` */
  readonly verificationTokens?: VerificationTokensTable | undefined
  /** @default the table `authenticator` of `@auth/drizzle-adapter` */
  readonly authenticators?: AuthenticatorsTable | undefined
  /** @default none: each process counts sign-in attempts in memory */
  readonly rateLimits?: RateLimitsTable | undefined
  /** @default none: modules can't keep anything in the database */
  readonly records?: RecordsTable | undefined
  /** The same as `users`. */
  readonly usersTable?: UsersTable | undefined
  /** The same as `accounts`. */
  readonly accountsTable?: AccountsTable | undefined
  /** The same as `sessions`. */
  readonly sessionsTable?: SessionsTable | undefined
  /** The same as `verificationTokens`. */
  readonly verificationTokensTable?: VerificationTokensTable | undefined
  /** The same as `authenticators`. */
  readonly authenticatorsTable?: AuthenticatorsTable | undefined
}

/** A table with its columns. The keys are those of the schema in TypeScript. */
export interface Model {
  readonly table: Table
  readonly name: string
  readonly columns: Columns
  /** Whether the application passed it, so that it exists. Without any tables, it has those of `@auth/drizzle-adapter`. */
  readonly isGiven: boolean
}

export interface Models {
  readonly users: Model
  readonly accounts: Model
  readonly sessions: Model
  readonly verificationTokens: Model
  readonly authenticators: Model
  readonly rateLimits: Model | undefined
  readonly records: Model | undefined
}

/** @throws Error if a table is one of another database, lacks a column, or a column has the wrong type */
export function modelsOf(dialect: Dialect, given: DrizzleTables): Models {
  for (const table of Object.values(given)) assertDialect(dialect, table)
  const defaults = { pg: pgTables, mysql: mysqlTables, sqlite: sqliteTables }[dialect]()
  const choose = (name: keyof typeof required, own: Table | undefined, fallback: Table) =>
    modelOf(name, own ?? fallback, own !== undefined)
  const { rateLimits, records } = given
  const sessions = choose("sessions", given.sessions ?? given.sessionsTable, defaults.sessions)
  return {
    users: choose("users", given.users ?? given.usersTable, defaults.users),
    accounts: choose("accounts", given.accounts ?? given.accountsTable, defaults.accounts),
    sessions: { ...sessions, isGiven: sessions.isGiven || Object.keys(given).length === 0 },
    verificationTokens: choose(
      "verificationTokens",
      given.verificationTokens ?? given.verificationTokensTable,
      defaults.verificationTokens,
    ),
    authenticators: choose(
      "authenticators",
      given.authenticators ?? given.authenticatorsTable,
      defaults.authenticators,
    ),
    rateLimits: rateLimits && modelOf("rateLimits", rateLimits, true),
    records: records && modelOf("records", records, true),
  }
}

const titles: Readonly<Record<Dialect, string>> = { pg: "PostgreSQL", mysql: "MySQL", sqlite: "SQLite" }

/** What the types of columns begin with. */
const prefixes: readonly (readonly [string, Dialect])[] = [
  ["Pg", "pg"],
  ["MySql", "mysql"],
  ["SQLite", "sqlite"],
]

/** A table of another database would write values that can't be read back. */
function assertDialect(dialect: Dialect, table: unknown): void {
  if (!is(table, Table)) return
  const [column] = Object.values<Column>(getTableColumns(table))
  const [, other] = prefixes.find(([prefix]) => column?.columnType.startsWith(prefix) === true) ?? []
  if (other === undefined || other === dialect) return
  throw new Error(
    `The table \`${getTableName(table)}\` is one of ${titles[other]}, but the database is ${titles[dialect]}. Pass a table of ${titles[dialect]}.`,
  )
}

const required = {
  users: neededColumns.user,
  accounts: neededColumns.account,
  sessions: neededColumns.session,
  verificationTokens: neededColumns.verificationToken,
  authenticators: neededColumns.authenticator,
  rateLimits: ["key", "points", "refused", "resets"],
  records: neededColumns.record,
} as const

const dates: readonly string[] = ["emailVerified", "expires"]

function modelOf(name: keyof typeof required, table: unknown, isGiven: boolean): Model {
  if (!is(table, Table)) throw new Error(`\`${name}\` isn't a table of Drizzle. Pass a table of your schema.`)
  const columns: Columns = getTableColumns(table)
  const model = { table, name: getTableName(table), columns, isGiven }
  for (const key of required[name]) {
    const column = columns[key]
    if (column === undefined) {
      throw new Error(`The table \`${model.name}\` has no column \`${key}\`. Add it to the schema of \`${name}\`.`)
    }
    if (dates.includes(key) && column.dataType !== "date") {
      throw new Error(
        `The column \`${key}\` of the table \`${model.name}\` doesn't return dates. Set its \`mode\` to "date", or to "timestamp_ms" with SQLite.`,
      )
    }
  }
  return model
}

/** Whether the table has a text column for JSON. */
export function hasText({ columns }: Model, key: "details" | "extra"): boolean {
  return columns[key]?.dataType === "string"
}
