import { sql } from "kysely"
import type { CatalogQueries } from "./catalog.js"
import type { Sql } from "./sql.js"

function named(tables: readonly string[]): Sql {
  return sql`m.type = 'table' and m.name in (${sql.join(tables)})`
}

export const sqliteCatalog: CatalogQueries = {
  // The collation of a column is only in the text of the statement that created it.
  columns: (tables) => sql`
    select m.name as table_name, p.name as column_name, lower(p.type) as type, p."notnull" as not_null,
      (coalesce(lower(p.dflt_value), 'null') <> 'null') as has_default,
      (p.dflt_value like '%(%' and p.dflt_value not like '''%') as is_computed, (p.pk = 1 and lower(p.type) = 'integer') as is_serial,
      (m.sql not like '%collate%nocase%' and m.sql not like '%collate%rtrim%') as is_exact
    from sqlite_master m join pragma_table_info(m.name) p where ${named(tables)} order by m.name, p.cid`,
  uniques: (tables) => sql`
    select m.name as table_name, l.name as index_name, i.name as column_name
    from sqlite_master m join pragma_index_list(m.name) l join pragma_index_info(l.name) i
    where l."unique" = 1 and l.partial = 0 and ${named(tables)}
    union all
    select m.name as table_name, 'rowid' as index_name, p.name as column_name
    from sqlite_master m join pragma_table_info(m.name) p where p.pk > 0 and ${named(tables)}`,
  // Without the setting, SQLite ignores foreign keys.
  cascades: (tables) => sql`
    select m.name as table_name, f."from" as column_name
    from sqlite_master m join pragma_foreign_key_list(m.name) f
    where f.on_delete = 'CASCADE' and (select foreign_keys from pragma_foreign_keys) = 1 and ${named(tables)}`,
  indexes: (tables) => sql`
    select m.name as table_name, i.name as column_name
    from sqlite_master m join pragma_index_list(m.name) l join pragma_index_info(l.name) i
    where i.seqno = 0 and l.partial = 0 and ${named(tables)}
    union all
    select m.name as table_name, p.name as column_name
    from sqlite_master m join pragma_table_info(m.name) p where p.pk = 1 and ${named(tables)}`,
}
