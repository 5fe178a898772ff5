import { type Kysely, sql } from "kysely"
import type { ColumnTypes, Flavor } from "./flavor.js"
import { postgresCatalog } from "./postgres-catalog.js"
import { postgresStorage } from "./postgres-storage.js"

const types: ColumnTypes = {
  key: `text collate "C"`,
  shortKey: `text collate "C"`,
  longKey: `text collate "C"`,
  base64Key: `text collate "C"`,
  text: "text",
  instant: "timestamptz(3)",
  boolean: "boolean",
  number: "bigint",
  json: "jsonb",
}

/** CockroachDB compares text byte by byte, and its texts with a collation are another type. */
const cockroachTypes: ColumnTypes = { ...types, key: "text", shortKey: "text", longKey: "text", base64Key: "text" }

/** An arbitrary number. */
const advisoryLock = 7_262_391_548

/** PostgreSQL, and databases that speak its protocol: CockroachDB, YugabyteDB, Citus. */
export const postgresFlavor: Flavor = {
  name: "postgres",
  returning: true,
  transactionalDdl: true,
  forUpdate: sql` for update`,
  tableOptions: () => sql``,
  ownTypes: types,
  columnTypes: async (db) => ((await isCockroach(db)) ? cockroachTypes : types),
  storage: postgresStorage,
  catalog: postgresCatalog,
  exactly: (column, value) => sql`cast(${column} as text) = ${value}`,
  same: (left, right) => sql`${left} is not distinct from ${right}`,
  mergeJson: (column, patch) => sql`coalesce(${column}, cast('{}' as jsonb)) || ${patch}`,
  skipTaken: sql` on conflict do nothing`,
  upsert: ({ insert, key, changes, returning }) =>
    sql`${insert} on conflict (${key}) do update set ${sql.join(changes)} returning ${sql.join(returning)}`,
  // Rows that another transaction has locked are in use, or another sweep deletes them.
  deleteBatch: ({ table, keys, expires, after, before, limit }, expired) =>
    sql`delete from ${table} where (${sql.join(keys)}) in (select ${sql.join(keys)} from ${table}
      where ${expires} >= ${after} and ${expires} < ${before} order by ${expires} limit ${limit} for update skip locked)
      and ${expires} < ${before} returning ${expired} as expired`,
  existing: (names) =>
    sql`select relname as name from pg_catalog.pg_class where pg_catalog.pg_table_is_visible(oid) and relkind in ('r', 'p') and relname in (${sql.join(names)})`,
  denied: (names) =>
    sql`select c.relname as name, p.privilege as privilege, current_user as role from pg_catalog.pg_class c
      cross join (values ('select'), ('insert'), ('update'), ('delete')) as p (privilege)
      where pg_catalog.pg_table_is_visible(c.oid) and c.relkind in ('r', 'p') and c.relname in (${sql.join(names)})
      and not pg_catalog.has_table_privilege(c.oid, p.privilege)`,
  keyLock: (key) => sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${sql.lit(advisoryLock)}))`,
  clock: sql`cast(extract(epoch from clock_timestamp()) * 1000 as double precision)`,
  migrationLock: sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`,
}

async function isCockroach(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return rows.some(({ version }) => version.includes("CockroachDB"))
}
