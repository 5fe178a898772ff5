import { anything, assertOptions, type EveryOption, type OptionNames, others } from "@latchkey/core/options"
import { tableFields } from "./layouts/fields.js"
import type { LayoutOption } from "./layouts/find.js"
import type { TableOptions } from "./layouts/names.js"
import { type TableName, tableNames } from "./layouts/table-map.js"

/** Options of every SQL adapter. */
export interface SqlAdapterOptions {
  /** Prefix for the names of all tables and indexes, such as `"auth_"`. @default "" */
  readonly prefix?: string
  /** Creates and migrates the tables at the first use. With `false`, call `migrate()` yourself. @default true */
  readonly autoMigrate?: boolean
  /**
   * Which tables to use. `"latchkey"`: those that `migrate()` creates. `"authjs-…"`: those of the published adapter for `pg`,
   * Kysely, Drizzle or Prisma, as they are. `"auto"` uses the ones that exist, or creates its own.
   *
   * @default "auto"
   */
  readonly layout?: LayoutOption
  /** Names of tables and columns that differ from those of the layout, such as `{ users: { name: "people" } }`. */
  readonly tables?: TableOptions
}

/**
 * Refuses an unknown option: with a misspelled field, for example, a migration would use the default name of its column.
 *
 * @param own the options of this function besides those of every adapter
 * @throws TypeError that names the option
 */
export function assertSqlOptions<T extends SqlAdapterOptions>(
  caller: string,
  options: T,
  own: EveryOption<Omit<T, keyof SqlAdapterOptions>>,
): void {
  const common: EveryOption<SqlAdapterOptions> = {
    prefix: anything,
    autoMigrate: anything,
    layout: anything,
    tables: namesOfTables(options.layout),
  }
  assertOptions(caller, options, { ...common, ...own })
}

function namesOfTables(layout: SqlAdapterOptions["layout"]): OptionNames {
  return Object.fromEntries<OptionNames>(
    tableNames.map((table) => [table, { name: anything, columns: namesOfColumns(table, layout) }]),
  )
}

function namesOfColumns(table: TableName, layout: SqlAdapterOptions["layout"]): OptionNames {
  const { required, optional, isOpen } = tableFields[table]
  const fields = ["id", "extra", ...Object.keys(required), ...Object.keys(optional)]
  return {
    ...Object.fromEntries<OptionNames>(fields.map((field) => [field, anything])),
    // Tables of a published adapter can have columns of the application.
    [others]: () => isOpen === true && layout !== "latchkey",
  }
}
