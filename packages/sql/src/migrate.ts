import { type Kysely, sql } from "kysely"
import { type Migration, migrations, postgresTypes, sqliteTypes, type Target } from "./migrations.js"
import type { Schema } from "./schema.js"

export interface MigrateOptions {
  readonly db: Kysely<Schema>
  readonly flavor: "sqlite" | "postgres"
  readonly prefix: string
  /** Number of migrations to run, from the first. @default all */
  readonly upTo?: number
}

/** An arbitrary number. The lock lets only one process migrate a PostgreSQL database at a time. */
const advisoryLock = 7_262_391_548

/**
 * Runs the pending migrations in one transaction. If none is pending, it only reads, so the role of the application needs no
 * permission to create tables.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { db, flavor } = options
  if ((await pendingMigrations(options)).length === 0) return
  await db.transaction().execute(async (inside) => {
    if (flavor === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(inside)
    await inside.schema
      .createTable("latchkey_migrations")
      .ifNotExists()
      .addColumn("name", "text", (column) => column.primaryKey())
      .execute()
    // Read again after taking the lock, because another process may have migrated. In SQLite, the transaction is the lock.
    for (const migration of await pendingMigrations({ ...options, db: inside })) {
      await run({ ...options, db: inside }, migration)
    }
  })
}

async function pendingMigrations(options: MigrateOptions): Promise<Migration[]> {
  const wanted = migrations.slice(0, options.upTo)
  if (!(await hasMigrationsTable(options))) return wanted
  const rows = await options.db.selectFrom("latchkey_migrations").select("name").execute()
  const done = new Set(rows.map(({ name }) => name))
  return wanted.filter(({ name }) => !done.has(name))
}

/** Reads the catalog, because in PostgreSQL a query of a missing table aborts the transaction. */
async function hasMigrationsTable({ db, flavor, prefix }: MigrateOptions): Promise<boolean> {
  const table = `${prefix}latchkey_migrations`
  const query =
    flavor === "postgres"
      ? sql`select 1 where to_regclass(quote_ident(${table})) is not null`
      : sql`select 1 from sqlite_master where type = 'table' and name = ${table}`
  return (await query.execute(db)).rows.length > 0
}

async function run({ db, flavor, prefix }: MigrateOptions, { name: migration, up }: Migration): Promise<void> {
  const target: Target = {
    db,
    types: flavor === "postgres" ? postgresTypes : sqliteTypes,
    prefixed: (name) => prefix + name,
  }
  await up(target)
  await db.insertInto("latchkey_migrations").values({ name: migration }).execute()
}
