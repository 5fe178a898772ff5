import type { Kysely } from "kysely"
import type { ColumnRow, IndexRow, ReferenceRow, UniqueRow } from "../flavors/catalog.js"
import type { Flavor } from "../flavors/flavor.js"
import type { Sql } from "../flavors/sql.js"

export interface CatalogColumn {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly hasDefault: boolean
  /** Whether the default is a function, so that each row gets another value. */
  readonly isComputed: boolean
  /** Whether the database assigns numbers. */
  readonly isSerial: boolean
  /** Whether equal texts have equal bytes. */
  readonly isExact: boolean
}

export interface CatalogTable {
  readonly name: string
  readonly columns: readonly CatalogColumn[]
  /** The columns of each unique index and primary key. */
  readonly uniques: readonly (readonly string[])[]
  /** Columns of foreign keys whose rows are deleted with the row that they reference. */
  readonly cascades: readonly string[]
  /** Columns that an index begins with. */
  readonly indexed: readonly string[]
}

export type Catalog = ReadonlyMap<string, CatalogTable>

interface Database {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
}

/** Reads which of the tables exist, and how they look. */
export async function readCatalog(database: Database, names: readonly string[]): Promise<Catalog> {
  const { catalog } = database.flavor
  const columns = await rowsOf<ColumnRow>(database, catalog.columns(names))
  if (columns.length === 0) return new Map()
  const uniques = await rowsOf<UniqueRow>(database, catalog.uniques(names))
  const cascades = await rowsOf<ReferenceRow>(database, catalog.cascades(names))
  const indexes = await rowsOf<IndexRow>(database, catalog.indexes(names))
  const tables = [...groupBy(columns, ({ table_name }) => table_name)]
  const of = <Row extends ReferenceRow>(rows: readonly Row[], name: string) =>
    rows.filter(({ table_name }) => table_name === name)
  return new Map(
    tables.map(([name, itsColumns]): [string, CatalogTable] => [
      name,
      {
        name,
        columns: itsColumns.map(columnOf),
        uniques: [...groupBy(of(uniques, name), ({ index_name }) => index_name).values()].map(columnNames),
        cascades: columnNames(of(cascades, name)),
        indexed: columnNames(of(indexes, name)),
      },
    ]),
  )
}

async function rowsOf<Row>({ db }: Database, query: Sql): Promise<readonly Row[]> {
  const { rows } = await query.execute(db)
  // The queries of each flavor name their columns like the type.
  return rows as readonly Row[]
}

function columnOf(row: ColumnRow): CatalogColumn {
  return {
    name: row.column_name,
    type: row.type.toLowerCase(),
    notNull: Number(row.not_null) === 1,
    hasDefault: Number(row.has_default) === 1,
    isComputed: Number(row.is_computed) === 1,
    isSerial: Number(row.is_serial) === 1,
    isExact: Number(row.is_exact) === 1,
  }
}

function columnNames(rows: readonly { readonly column_name: string }[]): string[] {
  return rows.map(({ column_name }) => column_name)
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}
