import type { Kysely } from "kysely"
import { additions } from "./additions.js"
import type { RunBatch } from "./dialect.js"
import type { Flavor } from "./flavors/flavor.js"
import { findLayout, type LayoutOption } from "./layouts/find.js"
import type { Names } from "./layouts/names.js"
import type { Layout } from "./layouts/table-map.js"
import { migrate, plannedMigrations, runOnce } from "./migrate.js"

/** A database with the options of its adapter. */
export interface Database {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly names: Names
  readonly layout: LayoutOption
  readonly autoMigrate: boolean
  readonly hasTransactions: boolean
  readonly runBatch: RunBatch | undefined
}

/** Finds the layout. Tables of a published adapter are used as they are. */
export async function openLayout(database: Database): Promise<Layout> {
  const { layout } = await findLayout(database)
  if (layout.isOwn && database.autoMigrate) await migrate(database)
  return layout
}

export async function migrateLayout(database: Database): Promise<void> {
  const found = await findLayout(database)
  if (found.layout.isOwn) return migrate(database)
  for (const statement of await additions(database, found)) await runOnce(database.db, statement.compile(database.db))
}

/** The statements that {@link migrateLayout} would run. */
export async function plan(database: Database): Promise<readonly string[]> {
  const found = await findLayout(database)
  if (found.layout.isOwn) return plannedMigrations(database)
  return (await additions(database, found)).map((statement) => statement.compile(database.db).sql)
}
