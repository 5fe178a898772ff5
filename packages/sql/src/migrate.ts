import { type Compilable, type CompiledQuery, type Kysely, sql } from "kysely"
import type { RunBatch } from "./dialect.js"
import { codeOf, isTaken } from "./failures.js"
import type { Flavor } from "./flavors/flavor.js"
import type { Names } from "./layouts/names.js"
import { type Migration, migrations, type Target } from "./migrations.js"

export interface MigrateOptions {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly names: Names
  /** Whether the database has interactive transactions. D1 has none. */
  readonly hasTransactions: boolean
  /** Replaces transactions in a database that has none. */
  readonly runBatch?: RunBatch | undefined
  /** Number of migrations to run, from the first. @default all */
  readonly upTo?: number
}

/**
 * Runs the pending migrations, if possible in one transaction. If none is pending, it only reads, so the role of the application
 * needs no permission to create tables.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { db, flavor, hasTransactions, runBatch } = options
  if ((await pendingMigrations(options)).length === 0) return
  if (!runBatch && !(flavor.transactionalDdl && hasTransactions)) return migrateStepwise(options)
  try {
    if (runBatch) await runBatch((await plannedMigrations(options)).map((text) => ({ sql: text, parameters: [] })))
    else await db.transaction().execute(async (inside) => migrateInside({ ...options, db: inside }))
  } catch (error) {
    // Another process may have migrated in the meantime.
    if ((await pendingMigrations(options)).length > 0) throw error
  }
}

async function migrateInside(options: MigrateOptions): Promise<void> {
  await lockMigrations(options)
  await createMigrationsTable(options).execute()
  // Read again after taking the lock, because another process may have migrated.
  for (const migration of await pendingMigrations(options)) {
    for (const statement of await statementsOf(options, migration)) await run(options.db, statement)
    await record(options, migration)
  }
}

/** The SQL of the pending migrations. */
export async function plannedMigrations(options: MigrateOptions): Promise<readonly string[]> {
  const pending = await pendingMigrations(options)
  if (pending.length === 0) return []
  const { db, names } = options
  const planned = [createMigrationsTable(options).compile().sql]
  for (const migration of pending) {
    for (const statement of await statementsOf(options, migration)) planned.push(statement.compile().sql)
    const insert = sql`insert into ${sql.id(names.migrations)} (name) values (${sql.lit(migration.name)})`
    planned.push(insert.compile(db).sql)
  }
  return planned
}

/**
 * Several processes can run this at once, and an earlier run may have ended halfway. So it skips what exists, if it's what the
 * statement would create.
 */
async function migrateStepwise(options: MigrateOptions): Promise<void> {
  await createMigrationsTable(options).execute()
  for (const migration of await pendingMigrations(options)) {
    for (const statement of await statementsOf(options, migration)) await runOnce(options.db, statement.compile())
    await record(options, migration)
  }
}

/** Runs a statement, unless what it creates exists. */
export async function runOnce(db: Kysely<unknown>, statement: CompiledQuery): Promise<void> {
  try {
    await db.executeQuery(statement)
  } catch (error) {
    if (!isDuplicate(error) || !(await isSameAs(db, statement))) throw error
  }
}

/** Whether a table that exists has the columns that the statement would create. Names of indexes and added columns are ours. */
async function isSameAs(db: Kysely<unknown>, { query: node }: CompiledQuery): Promise<boolean> {
  if (node.kind !== "CreateTableNode") return true
  const columns = node.columns.map(({ column }) => sql.id(column.column.name))
  const { name } = node.table.table.identifier
  try {
    await sql`select ${sql.join(columns)} from ${sql.id(name)} where 1 = 0`.execute(db)
    return true
  } catch {
    return false
  }
}

/** An existing table, column or index of MySQL and SQLite. */
function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const duplicates: readonly unknown[] = ["ER_TABLE_EXISTS_ERROR", "ER_DUP_FIELDNAME", "ER_DUP_KEYNAME"]
  return duplicates.includes(codeOf(error)) || /already exists|duplicate column name/i.test(error.message)
}

async function run(db: Kysely<unknown>, statement: Compilable): Promise<void> {
  await db.executeQuery(statement.compile())
}

async function lockMigrations({ db, flavor }: MigrateOptions): Promise<void> {
  if (!flavor.migrationLock) return
  await sql`savepoint before_lock`.execute(db)
  try {
    await flavor.migrationLock.execute(db)
  } catch {
    // Some databases that speak the protocol of PostgreSQL have no such lock. Then the names of the tables are the lock.
    await sql`rollback to savepoint before_lock`.execute(db)
  }
}

function createMigrationsTable({ db, flavor, names }: MigrateOptions) {
  const name = sql.raw(flavor.ownTypes.shortKey.startsWith("varchar") ? "varchar(128)" : "text")
  return db.schema
    .createTable(names.migrations)
    .ifNotExists()
    .addColumn("name", name, (column) => column.primaryKey())
}

async function statementsOf(options: MigrateOptions, { statements }: Migration): Promise<readonly Compilable[]> {
  const target: Target = { ...options, types: await options.flavor.columnTypes(options.db) }
  return statements(target)
}

async function record({ db, names }: MigrateOptions, { name }: Migration): Promise<void> {
  try {
    await sql`insert into ${sql.id(names.migrations)} (name) values (${name})`.execute(db)
  } catch (error) {
    if (db.isTransaction || !isTaken(error)) throw error
  }
}

/** The migrations that the table of migrations doesn't have. */
export async function pendingMigrations(options: MigrateOptions): Promise<Migration[]> {
  const { db, flavor, names } = options
  const wanted = migrations.slice(0, options.upTo)
  // Reads the catalog, because in PostgreSQL a query of a missing table aborts the transaction.
  if ((await flavor.existing([names.migrations]).execute(db)).rows.length === 0) return wanted
  const { rows } = await sql<{ name: string }>`select name from ${sql.id(names.migrations)}`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return wanted.filter(({ name }) => !done.has(name))
}
