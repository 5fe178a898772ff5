import { sql } from "kysely"
import type { CatalogQueries } from "./catalog.js"
import type { Sql } from "./sql.js"

/** Tables on the search path of the connection. */
function visible(tables: readonly string[]): Sql {
  return sql`pg_catalog.pg_table_is_visible(c.oid) and c.relkind in ('r', 'p') and c.relname in (${sql.join(tables)})`
}

export const postgresCatalog: CatalogQueries = {
  columns: (tables) => sql`
    select c.relname as table_name, a.attname as column_name, pg_catalog.format_type(a.atttypid, a.atttypmod) as type,
      cast(a.attnotnull as int) as not_null, cast(a.atthasdef or a.attidentity <> '' as int) as has_default,
      case when pg_catalog.pg_get_expr(d.adbin, d.adrelid) not like '''%' then 1 else 0 end as is_computed,
      case when a.attidentity <> '' or pg_catalog.pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' then 1 else 0 end as is_serial,
      case when coalesce(co.collisdeterministic, true) and pg_catalog.format_type(a.atttypid, null) <> 'citext' then 1 else 0 end as is_exact
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_catalog.pg_collation co on co.oid = a.attcollation
    where ${visible(tables)} order by c.relname, a.attnum`,
  uniques: (tables) => sql`
    select c.relname as table_name, cast(i.indexrelid as text) as index_name, a.attname as column_name
    from pg_catalog.pg_index i
    join pg_catalog.pg_class c on c.oid = i.indrelid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null and ${visible(tables)}`,
  cascades: (tables) => sql`
    select c.relname as table_name, a.attname as column_name
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
    where k.contype = 'f' and k.confdeltype = 'c' and ${visible(tables)}`,
  indexes: (tables) => sql`
    select c.relname as table_name, a.attname as column_name
    from pg_catalog.pg_index i
    join pg_catalog.pg_class c on c.oid = i.indrelid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisvalid and i.indpred is null and ${visible(tables)}`,
}
