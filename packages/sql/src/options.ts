import { any, assertOptions, type EveryOption, type OptionNames, others } from "@latchkey/core/options"
import type { SqlAdapterOptions } from "./adapter.js"
import { tableFields } from "./layouts/fields.js"
import { type TableName, tableNames } from "./layouts/table-map.js"

/**
 * Refuses an unknown option: with a misspelled column, for example, a migration would create another one.
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
    prefix: any,
    autoMigrate: any,
    layout: any,
    tables: namesOfTables(options.layout),
  }
  assertOptions(caller, options, { ...common, ...own })
}

function namesOfTables(layout: SqlAdapterOptions["layout"]): OptionNames {
  return Object.fromEntries<OptionNames>(
    tableNames.map((table) => [table, { name: any, columns: namesOfColumns(table, layout) }]),
  )
}

function namesOfColumns(table: TableName, layout: SqlAdapterOptions["layout"]): OptionNames {
  const { required, optional, isOpen } = tableFields[table]
  const fields = ["id", "extra", ...Object.keys(required), ...Object.keys(optional)]
  return {
    ...Object.fromEntries<OptionNames>(fields.map((field) => [field, any])),
    // Tables of a published adapter can have columns of the application.
    [others]: () => isOpen === true && layout !== "latchkey",
  }
}
