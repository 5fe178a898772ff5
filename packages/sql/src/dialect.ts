import {
  type Dialect,
  type Driver,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"

/** Runs statements in one transaction. */
export type RunBatch = (statements: readonly BatchStatement[]) => Promise<void>

export interface BatchStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** A dialect for a database without interactive transactions. */
export interface BatchDialect extends Dialect {
  readonly runBatch: RunBatch
}

/** The function that replaces transactions, if the dialect has one. */
export function batchOf(dialect: object): RunBatch | undefined {
  const found: unknown = Reflect.get(dialect, "runBatch")
  // Dialects of Kysely have no property with this name.
  return typeof found === "function" ? (found as RunBatch) : undefined
}

// Kysely's dialects with another driver.

export function postgresDialect(createDriver: () => Driver): Dialect {
  return {
    createDriver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

export function mysqlDialect(createDriver: () => Driver): Dialect {
  return {
    createDriver,
    createAdapter: () => new MysqlAdapter(),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    createIntrospector: (db) => new MysqlIntrospector(db),
  }
}

export function sqliteDialect(createDriver: () => Driver): Dialect {
  return {
    createDriver,
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}
