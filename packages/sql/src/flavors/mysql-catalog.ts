import { sql } from "kysely"
import type { CatalogQueries } from "./catalog.js"
import type { Sql } from "./sql.js"

function named(tables: readonly string[]): Sql {
  return sql`t.table_schema = database() and t.table_name in (${sql.join(tables)})`
}

export const mysqlCatalog: CatalogQueries = {
  columns: (tables) => sql`
    select t.table_name as table_name, t.column_name as column_name, lower(concat_ws(' ', t.column_type, concat('character set ', t.character_set_name),
        concat('collate ', t.collation_name))) as type,
      t.is_nullable = 'NO' as not_null, t.column_default is not null or t.extra <> '' as has_default,
      t.extra like '%default_generated%' as is_computed,
      t.extra like '%auto_increment%' as is_serial, coalesce(t.collation_name like '%nopad\\_bin' or t.collation_name like '%0900\\_bin' or t.collation_name = 'ascii_bin', 1) as is_exact
    from information_schema.columns t where ${named(tables)} order by t.table_name, t.ordinal_position`,
  uniques: (tables) => sql`
    select t.table_name as table_name, t.index_name as index_name, t.column_name as column_name
    from information_schema.statistics t where t.non_unique = 0 and ${named(tables)}`,
  cascades: (tables) => sql`
    select t.table_name as table_name, t.column_name as column_name
    from information_schema.key_column_usage t
    join information_schema.referential_constraints r
      on r.constraint_schema = t.constraint_schema and r.constraint_name = t.constraint_name and r.table_name = t.table_name
    where r.delete_rule = 'CASCADE' and ${named(tables)}`,
  indexes: (tables) => sql`
    select t.table_name as table_name, t.column_name as column_name
    from information_schema.statistics t where t.seq_in_index = 1 and ${named(tables)}`,
}
