import { type Column, entityKind, type SQL, type Table } from "drizzle-orm"

/**
 * A database of Drizzle for PostgreSQL, MySQL or SQLite. The types of Drizzle differ between databases and versions, so this one
 * names only the methods.
 */
export interface DrizzleDatabase {
  select(): unknown
  insert(table: never): unknown
  update(table: never): unknown
  delete(table: never): unknown
  transaction(work: never): unknown
}

export type Dialect = "pg" | "mysql" | "sqlite"

export type Row = Readonly<Record<string, unknown>>
export type Columns = Readonly<Record<string, Column>>

/** The query builder that this package uses. It's the same for all databases, except for the optional methods. */
export interface Queries {
  select(fields: Readonly<Record<string, Column | SQL | Columns>>): { from(table: Table | SQL): Select }
  insert(table: Table): { values(row: Row): Insert }
  update(table: Table): { set(row: Row): { where(condition: SQL): Write } }
  delete(table: Table): { where(condition: SQL): Write }
  transaction(work: (inside: Queries) => Promise<unknown>, config?: TransactionConfig): Promise<unknown>
  /** SQLite. */
  all(statement: SQL): PromiseLike<Row[]> | Row[]
}

export interface TransactionConfig {
  readonly isolationLevel: "read committed"
}

export interface Select extends PromiseLike<Row[]> {
  innerJoin(table: Table, condition: SQL): Select
  where(condition: SQL): Select
  orderBy(order: SQL): Select
  limit(rows: number): Select
  /** PostgreSQL and MySQL. */
  for(strength: "update"): Select
  prepare(name: string): { execute(values: Row): PromiseLike<Row[]> }
  toSQL(): { readonly sql: string }
  /** Drizzle 0.44 and newer. */
  $withCache?(isCached: false): Select
}

export interface Write extends PromiseLike<unknown> {
  /** PostgreSQL and SQLite. */
  returning(): PromiseLike<Row[]>
  /** MySQL. */
  limit(rows: number): PromiseLike<unknown>
}

export interface Insert extends Write {
  /** PostgreSQL and SQLite. */
  onConflictDoUpdate(options: { readonly target: Column; readonly set: Row }): Write
  /** MySQL. */
  onDuplicateKeyUpdate(options: { readonly set: Row }): PromiseLike<unknown>
  /** MySQL. */
  $returningId(): PromiseLike<Row[]>
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["PgDatabase", "pg"],
  ["MySqlDatabase", "mysql"],
  ["BaseSQLiteDatabase", "sqlite"],
])

/** @throws Error if it isn't a database of Drizzle */
export function dialectOf(db: unknown): Dialect {
  const dialect = kindsOf(db)
    .map((kind) => dialects.get(kind))
    .find((found) => found !== undefined)
  if (dialect === undefined) {
    throw new Error(
      "The first argument isn't a database of Drizzle for PostgreSQL, MySQL or SQLite. Pass what `drizzle()` of your driver returns.",
    )
  }
  return dialect
}

/** Their transactions fail, or aren't transactions. */
const withoutTransactions: readonly string[] = [
  "NeonHttpDatabase",
  "XataHttpDatabase",
  "PgRemoteDatabase",
  "MySqlRemoteDatabase",
]

/** Of these, a pool gives each transaction a connection. Over a single one, it would contain the queries of other requests. */
const poolMethods: ReadonlyMap<string, string> = new Map([
  ["NodePgDatabase", "totalCount"],
  ["NeonDatabase", "totalCount"],
  ["VercelPgDatabase", "totalCount"],
  ["MySql2Database", "getConnection"],
])

/**
 * Whether a transaction can wait for promises. Of SQLite, only libSQL has a connection for each transaction. With the others, a
 * rollback would also undo what the application writes meanwhile.
 */
export function hasTransactions(db: unknown): boolean {
  const kinds = kindsOf(db)
  if (kinds.includes("BaseSQLiteDatabase")) return kinds.includes("LibSQLDatabase")
  const method = kinds.map((kind) => poolMethods.get(kind)).find((name) => name !== undefined)
  if (method !== undefined && !(method in Object(Reflect.get(Object(db), "$client")))) return false
  return !kinds.some((kind) => withoutTransactions.includes(kind))
}

/** The names of Drizzle's classes. They also work if the application has a second copy of Drizzle. */
function kindsOf(value: unknown): string[] {
  const kinds: string[] = []
  let type: unknown = typeof value === "object" && value !== null ? value.constructor : undefined
  while (typeof type === "function") {
    const kind: unknown = Reflect.get(type, entityKind)
    if (typeof kind === "string") kinds.push(kind)
    type = Object.getPrototypeOf(type)
  }
  return kinds
}
