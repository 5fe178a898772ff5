import type { CatalogColumn } from "./catalog.js"
import type { TableName } from "./table-map.js"

/** Names of tables and columns that differ from the defaults of the layout. */
export type TableOptions = {
  readonly [table in TableName]?: {
    /** The whole name, without `prefix`. */
    readonly name?: string
    /** Names of columns by field, such as `{ image: "avatar" }`. */
    readonly columns?: Readonly<Record<string, string>>
  }
}

/** The names in a database. */
export interface Names {
  /** The name of a table that this package creates. */
  table(table: TableName): string
  /** The name of a column that this package creates. */
  column(table: TableName, field: string): string
  /** The name of an index or constraint. */
  index(name: string): string
  /** The name of the index of a column. */
  indexOf(table: TableName, field: string): string
  /** The name in the option `tables`. */
  given(table: TableName): string | undefined
  /** Finds the column of a field in a table of a published adapter. */
  find(table: TableName, field: string, columns: readonly CatalogColumn[]): CatalogColumn | undefined
  /** The field of a column that the contract doesn't know. */
  fieldOf(table: TableName, column: string): string
  readonly prefix: string
  readonly migrations: string
  readonly records: string
}

export function createNames(prefix: string, options: TableOptions = {}): Names {
  for (const name of [prefix, ...Object.values(options).map((table) => table?.name ?? "")]) assertNoSchema(name)
  const given = (table: TableName) => options[table]?.name
  const columnsOf = (table: TableName) => Object.entries(options[table]?.columns ?? {})
  const givenColumn = (table: TableName, field: string) =>
    columnsOf(table).find(([candidate]) => candidate === field)?.[1]
  return {
    prefix,
    migrations: `${prefix}latchkey_migrations`,
    records: `${prefix}latchkey_records`,
    table: (table) => given(table) ?? prefix + snakeCase(table),
    column: (table, field) => givenColumn(table, field) ?? snakeCase(field),
    index: (name) => prefix + name,
    indexOf: (table, field) => `${prefix}${snakeCase(table)}_${snakeCase(field)}`,
    given,
    find: (table, field, columns) => {
      const column = givenColumn(table, field)
      const names = column === undefined ? [field, snakeCase(field), field.toLowerCase()] : [column]
      return names.map((name) => columns.find((each) => each.name === name)).find((each) => each !== undefined)
    },
    fieldOf: (table, column) => columnsOf(table).find(([, name]) => name === column)?.[0] ?? column,
  }
}

function assertNoSchema(name: string): void {
  if (!name.includes(".")) return
  const advice =
    "For another schema of PostgreSQL, add `?options=-c%20search_path%3D` and its name to the connection string."
  throw new RangeError(`The name "${name}" contains a dot, which names of tables can't have. ${advice}`)
}

/** `emailVerified` becomes `email_verified`, and `credentialID` becomes `credential_id`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase()
}
