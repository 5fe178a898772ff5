import { sql } from "kysely"
import type { ColumnTypes, Flavor } from "./flavor.js"
import { sqliteCatalog } from "./sqlite-catalog.js"
import { sqliteStorage } from "./sqlite-storage.js"

const types: ColumnTypes = {
  key: "text collate binary",
  shortKey: "text collate binary",
  longKey: "text collate binary",
  base64Key: "text collate binary",
  text: "text",
  instant: "integer",
  boolean: "integer",
  number: "bigint",
  json: "text",
}

/** SQLite in its several forms, libSQL and D1. */
export const sqliteFlavor: Flavor = {
  name: "sqlite",
  returning: true,
  transactionalDdl: true,
  forUpdate: sql``,
  tableOptions: () => sql``,
  ownTypes: types,
  columnTypes: async () => types,
  storage: sqliteStorage,
  catalog: sqliteCatalog,
  exactly: (column, value) => sql`${column} = ${value} collate binary`,
  same: (left, right) => sql`${left} is ${right}`,
  mergeJson: undefined,
  skipTaken: sql` on conflict do nothing`,
  upsert: ({ insert, key, changes, returning }) =>
    sql`${insert} on conflict (${key}) do update set ${sql.join(changes)} returning ${sql.join(returning)}`,
  deleteBatch: ({ table, keys, expires, after, before, limit }, expired) =>
    sql`delete from ${table} where (${sql.join(keys)}) in (select ${sql.join(keys)} from ${table}
      where ${expires} >= ${after} and ${expires} < ${before} order by ${expires} limit ${limit})
      and ${expires} < ${before} returning ${expired} as expired`,
  existing: (names) => sql`select name from sqlite_master where type = 'table' and name in (${sql.join(names)})`,
  keyLock: undefined,
  clock: undefined,
  migrationLock: undefined,
}
