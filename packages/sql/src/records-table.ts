import type { StoredRecord } from "@latchkey/core/adapters"
import { type Compilable, type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { ColumnTypes, Flavor, Kind } from "./flavors/flavor.js"
import { milliseconds } from "./flavors/storage.js"
import { type Names, snakeCase } from "./layouts/names.js"
import type { Column, TableMap } from "./layouts/table-map.js"
import type { Executor } from "./queries.js"

const kinds: Readonly<Record<keyof StoredRecord, Kind>> = {
  kind: "shortKey",
  key: "longKey",
  owner: "key",
  index1: "longKey",
  index2: "longKey",
  data: "text",
  version: "number",
  expiresAt: "number",
}

const optionalFields: readonly string[] = ["owner", "index1", "index2", "expiresAt"]

/** The table of records. It has the same name and columns beside tables of published adapters. */
export interface RecordsTable {
  readonly map: TableMap
  /** Asks the catalog until it exists: in PostgreSQL, a query of a missing table aborts the transaction. */
  exists(executor: Executor): Promise<boolean>
}

export function recordsTable(flavor: Flavor, names: Names): RecordsTable {
  const columns = Object.entries(kinds).map(
    ([field, kind]): Column => ({
      field,
      name: snakeCase(field),
      // Milliseconds since 1970, because the clock of the caller counts and not that of the database.
      storage: field === "expiresAt" ? milliseconds : flavor.storage(kind, flavor.ownTypes[kind]),
    }),
  )
  const map: TableMap = { name: names.records, columns, rest: undefined, dropped: new Set(), guards: [] }
  let isKnown = false
  return {
    map,
    exists: async (executor) => {
      if (isKnown) return true
      const query = executor.statements.query("records", () => flavor.existing([map.name]), [map.name])
      isKnown = (await executor.run(query, map)).rows.length > 0
      return isKnown
    },
  }
}

interface Target {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly types: ColumnTypes
  readonly names: Names
}

/** The statements that create the table, unless it exists. */
export function recordsStatements({ db, flavor, types, names }: Target): readonly Compilable[] {
  const columns = Object.entries(kinds)
  const table = columns.reduce<CreateTableBuilder<string, string>>(
    (builder, [field, kind]) =>
      builder.addColumn(snakeCase(field), sql.raw(types[kind]), (column) =>
        optionalFields.includes(field) ? column : column.notNull(),
      ),
    db.schema.createTable(names.records).ifNotExists(),
  )
  const index = (name: string, on: readonly string[]) => {
    const builder = db.schema
      .createIndex(`${names.records}_${name}`)
      .on(names.records)
      .columns([...on])
    // MySQL has no `if not exists` for indexes. Migrations skip those that exist.
    return flavor.name === "mysql" ? builder : builder.ifNotExists()
  }
  // An index of InnoDB ends with the primary key, and couldn't have more bytes than the owner.
  const rest = flavor.name === "mysql" ? [] : ["kind", "key"]
  return [
    table.addPrimaryKeyConstraint(`${names.records}_key`, ["kind", "key"]).modifyEnd(flavor.tableOptions(types)),
    ...["owner", "index1", "index2"].map((field) => index(field, [field, ...rest])),
    index("expires_at", ["expires_at"]),
  ]
}
