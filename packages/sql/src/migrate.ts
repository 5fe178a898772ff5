import { type Kysely, sql } from "kysely"
import { type Migration, migrations, postgresTypes, sqliteTypes, type Target } from "./migrations.js"
import type { Schema } from "./schema.js"

export interface MigrateOptions {
  readonly db: Kysely<Schema>
  readonly flavor: "sqlite" | "postgres"
  readonly prefix: string
  /** How many of the migrations, from the first on. Default: all. */
  readonly upTo?: number
}

/** Of processes that migrate one PostgreSQL at once, one works and the others wait. An arbitrary number. */
const advisoryLock = 7_262_391_548

/**
 * Brings the tables up to date, in one transaction: all of it happens or nothing. Where nothing is to be done it only
 * reads, so that the application's role needs no right to create tables.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { db, flavor } = options
  if ((await missingFrom(options)).length === 0) return
  await db.transaction().execute(async (inside) => {
    if (flavor === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(inside)
    await inside.schema
      .createTable("latchkey_migrations")
      .ifNotExists()
      .addColumn("name", "text", (column) => column.primaryKey())
      .execute()
    // Asked again, behind the lock: another process may have been first. SQLite's transaction is the lock.
    for (const migration of await missingFrom({ ...options, db: inside }))
      await run({ ...options, db: inside }, migration)
  })
}

async function missingFrom(options: MigrateOptions): Promise<Migration[]> {
  const wanted = migrations.slice(0, options.upTo)
  if (!(await hasLedger(options))) return wanted
  const rows = await options.db.selectFrom("latchkey_migrations").select("name").execute()
  const done = new Set(rows.map(({ name }) => name))
  return wanted.filter(({ name }) => !done.has(name))
}

/** Asked of the catalogue: in PostgreSQL a query of a table that is not there would end the transaction. */
async function hasLedger({ db, flavor, prefix }: MigrateOptions): Promise<boolean> {
  const table = `${prefix}latchkey_migrations`
  const query =
    flavor === "postgres"
      ? sql`select 1 where to_regclass(quote_ident(${table})) is not null`
      : sql`select 1 from sqlite_master where type = 'table' and name = ${table}`
  return (await query.execute(db)).rows.length > 0
}

async function run({ db, flavor, prefix }: MigrateOptions, { name, up }: Migration): Promise<void> {
  const target: Target = {
    db,
    types: flavor === "postgres" ? postgresTypes : sqliteTypes,
    named: (index) => prefix + index,
  }
  await up(target)
  await db.insertInto("latchkey_migrations").values({ name }).execute()
}
