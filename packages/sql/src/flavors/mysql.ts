import { type Kysely, sql } from "kysely"
import type { ColumnTypes, Flavor } from "./flavor.js"
import { mysqlCatalog } from "./mysql-catalog.js"
import { mysqlStorage } from "./mysql-storage.js"

/**
 * Compares code points and doesn't ignore spaces at the end. MariaDB has the first one, MySQL since 8.0.17 the second one.
 * The last one ignores spaces, but every version has it.
 */
const collations = ["utf8mb4_nopad_bin", "utf8mb4_0900_bin", "utf8mb4_bin"]

/** An index of InnoDB has at most 3072 bytes, and a character at most 4. A primary key has a short and a long part. */
function typesWith(collation: string): ColumnTypes {
  const key = (length: number) => `varchar(${length}) character set utf8mb4 collate ${collation}`
  return {
    key: key(768),
    shortKey: key(128),
    longKey: key(640),
    base64Key: "varchar(2048) character set ascii collate ascii_bin",
    text: `longtext character set utf8mb4 collate ${collation}`,
    instant: "datetime(3)",
    boolean: "tinyint(1)",
    number: "bigint",
    // Not the type JSON: MySQL would change the text, and an update compares it.
    json: `longtext character set utf8mb4 collate ${collation}`,
  }
}

/** MySQL 8 and MariaDB. */
export const mysqlFlavor: Flavor = {
  name: "mysql",
  returning: false,
  transactionalDdl: false,
  forUpdate: sql` for update`,
  tableOptions: () => sql.raw(" engine = InnoDB default character set utf8mb4"),
  ownTypes: typesWith("utf8mb4_bin"),
  columnTypes: async (db) => typesWith(await binaryCollation(db)),
  storage: mysqlStorage,
  catalog: mysqlCatalog,
  exactly: (column, value) => sql`cast(convert(${column} using utf8mb4) as binary) = cast(${value} as binary)`,
  same: (left, right) => sql`${left} <=> ${right}`,
  mergeJson: undefined,
  skipTaken: sql``,
  upsert: ({ insert, changes }) => sql`${insert} on duplicate key update ${sql.join(changes)}`,
  deleteBatch: ({ table, expires, after, before, limit }) =>
    sql`delete from ${table} where ${expires} >= ${after} and ${expires} < ${before} order by ${expires} limit ${limit}`,
  existing: (names) =>
    sql`select table_name as name from information_schema.tables where table_schema = database() and table_name in (${sql.join(names)})`,
  keyLock: undefined,
  foldsNames: sql`select 1 as folds from (select 1 as one) t where @@lower_case_table_names <> 0`,
  clock: sql`unix_timestamp(now(3)) * 1000`,
  // In winter and in summer, because time zones with the offset of UTC in one of them exist.
  convertsDates: sql`select 1 as converts from (select 1 as one) t
    where unix_timestamp('2030-01-01 12:00:00') <> 1893499200 or unix_timestamp('2030-07-01 12:00:00') <> 1909137600`,
  migrationLock: undefined,
}

async function binaryCollation(db: Kysely<unknown>): Promise<string> {
  const query = sql<{ name: string }>`select collation_name as name from information_schema.collations
    where collation_name in (${sql.join(collations)})`
  const { rows } = await query.execute(db)
  return collations.find((wanted) => rows.some(({ name }) => name === wanted)) ?? "utf8mb4_bin"
}
