import type { StoredRecord } from "@latchkey/core/adapters"
import type { Compilable, Kysely } from "kysely"
import type { ColumnTypes, Flavor, Kind } from "./flavors/flavor.js"
import { milliseconds } from "./flavors/storage.js"
import { type KeptTable, keptStatements, keptTable, type Shape } from "./kept-table.js"
import type { Names } from "./layouts/names.js"

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

/** The table of records. */
export type RecordsTable = KeptTable

export function recordsTable(flavor: Flavor, names: Names): RecordsTable {
  return keptTable(flavor, shapeOf(flavor, names))
}

interface Target {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly types: ColumnTypes
  readonly names: Names
}

/** The statements that create the table, unless it exists. */
export function recordsStatements(target: Target): readonly Compilable[] {
  return keptStatements(target, shapeOf(target.flavor, target.names))
}

function shapeOf({ name }: Flavor, { records }: Names): Shape {
  const key = ["kind", "key"]
  // An index of InnoDB ends with the primary key, and couldn't have more bytes than the owner.
  const rest = name === "mysql" ? [] : key
  return {
    name: records,
    kinds,
    optional: ["owner", "index1", "index2", "expiresAt"],
    key,
    indexes: {
      owner: ["owner", ...rest],
      index1: ["index1", ...rest],
      index2: ["index2", ...rest],
      expiresAt: ["expiresAt"],
    },
    // Milliseconds since 1970, because the clock of the caller counts and not that of the database.
    storages: { expiresAt: milliseconds },
  }
}
