import type { CompiledQuery, Kysely } from "kysely"
import { additions } from "./additions.js"
import type { RunBatch } from "./dialect.js"
import type { Flavor } from "./flavors/flavor.js"
import { findLayout, type FoundLayout, type LayoutOption } from "./layouts/find.js"
import type { Names } from "./layouts/names.js"
import type { Layout } from "./layouts/table-map.js"
import { recordsStatements } from "./records-table.js"
import { migrate, pendingMigrations, plannedMigrations, runOnce } from "./migrate.js"

/** A database with the options of its adapter. */
export interface Database {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly names: Names
  readonly layout: LayoutOption
  readonly autoMigrate: boolean
  readonly hasTransactions: boolean
  readonly runBatch: RunBatch | undefined
  /** The missing statements of tables that only some applications have. */
  readonly additional: (() => Promise<readonly CompiledQuery[]>)[]
}

/** Finds the layout. Tables of a published adapter are used as they are. */
export async function openLayout(database: Database): Promise<Layout> {
  const { layout } = await findLayout(database)
  if (layout.isOwn && database.autoMigrate) await migrateIfNeeded(database)
  return layout
}

/** The role may not create tables. Then those that the adapter works without are created by `db apply`. */
async function migrateIfNeeded(database: Database): Promise<void> {
  try {
    await migrate(database)
  } catch (error) {
    if (!(await pendingMigrations(database)).every(({ isOptional }) => isOptional)) throw error
  }
}

export async function migrateLayout(database: Database): Promise<void> {
  const found = await findLayout(database)
  if (found.layout.isOwn) await migrate(database)
  for (const statement of await statementsBeside(database, found)) await runOnce(database.db, statement)
}

/** The statements that {@link migrateLayout} would run. */
export async function plan(database: Database): Promise<readonly string[]> {
  const found = await findLayout(database)
  const own = found.layout.isOwn ? await plannedMigrations(database) : []
  return [...own, ...(await statementsBeside(database, found)).map(({ sql }) => sql)]
}

/** What no migration has. */
async function statementsBeside(database: Database, found: FoundLayout): Promise<readonly CompiledQuery[]> {
  const added = found.layout.isOwn ? [] : await allAdditions(database, found)
  const additional = await Promise.all(database.additional.map((statements) => statements()))
  return [...added, ...additional.flat()]
}

async function allAdditions(database: Database, found: FoundLayout): Promise<readonly CompiledQuery[]> {
  const { db, flavor, names } = database
  const optional = (await additions(database, found)).map((statement) => statement.compile(db))
  if ((await flavor.existing([names.records]).execute(db)).rows.length > 0) return optional
  const types = await flavor.columnTypes(db)
  return [...optional, ...recordsStatements({ db, flavor, names, types }).map((statement) => statement.compile())]
}
