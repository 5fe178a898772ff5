import { type Compilable, type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { ColumnTypes, Flavor, Kind, Storage } from "./flavors/flavor.js"
import { snakeCase } from "./layouts/names.js"
import type { Column, TableMap } from "./layouts/table-map.js"
import type { Executor } from "./queries.js"

/** A table that is the same beside tables of published adapters. */
export interface Shape {
  readonly name: string
  readonly kinds: Readonly<Record<string, Kind>>
  /** Fields that can be NULL. */
  readonly optional: readonly string[]
  readonly key: readonly string[]
  /** Fields by which rows are found. */
  readonly indexes: Readonly<Record<string, readonly string[]>>
  /** Instead of what the kind has. */
  readonly storages?: Readonly<Record<string, Storage>>
}

export interface KeptTable {
  readonly map: TableMap
  /** Asks the catalog until it exists: in PostgreSQL, a query of a missing table aborts the transaction. */
  exists(executor: Executor): Promise<boolean>
}

export function keptTable(flavor: Flavor, { name, kinds, storages = {} }: Shape): KeptTable {
  const columns = Object.entries(kinds).map(
    ([field, kind]): Column => ({
      field,
      name: snakeCase(field),
      storage: storages[field] ?? flavor.storage(kind, flavor.ownTypes[kind]),
    }),
  )
  const map: TableMap = { name, columns, rest: undefined, dropped: new Set(), guards: [] }
  let isKnown = false
  return {
    map,
    exists: async (executor) => {
      if (isKnown) return true
      const query = executor.statements.query(`exists ${name}`, () => flavor.existing([name]), [name])
      isKnown = (await executor.run(query, map)).rows.length > 0
      return isKnown
    },
  }
}

interface Target {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly types: ColumnTypes
}

/** The statements that create the table, unless it exists. */
export function keptStatements(
  { db, flavor, types }: Target,
  { name, kinds, optional, key, indexes }: Shape,
): readonly Compilable[] {
  const table = Object.entries(kinds).reduce<CreateTableBuilder<string, string>>(
    (builder, [field, kind]) =>
      builder.addColumn(snakeCase(field), sql.raw(types[kind]), (column) =>
        optional.includes(field) ? column : column.notNull(),
      ),
    db.schema.createTable(name).ifNotExists(),
  )
  const index = ([of, on]: readonly [string, readonly string[]]) => {
    const builder = db.schema
      .createIndex(`${name}_${snakeCase(of)}`)
      .on(name)
      .columns(on.map(snakeCase))
    // MySQL has no `if not exists` for indexes. Migrations skip those that exist.
    return flavor.name === "mysql" ? builder : builder.ifNotExists()
  }
  return [
    table.addPrimaryKeyConstraint(`${name}_key`, key.map(snakeCase) as never).modifyEnd(flavor.tableOptions(types)),
    ...Object.entries(indexes).map(index),
  ]
}
