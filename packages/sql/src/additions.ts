import { type Kysely, sql } from "kysely"
import type { ColumnTypes, Flavor } from "./flavors/flavor.js"
import type { Sql } from "./flavors/sql.js"
import type { FoundLayout } from "./layouts/find.js"
import { tableFields } from "./layouts/fields.js"
import type { Names } from "./layouts/names.js"
import type { FoundTables } from "./layouts/published.js"
import { type TableMap, tableNames } from "./layouts/table-map.js"
import { columnOf, requireColumn } from "./rows.js"

interface Database {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly names: Names
}

interface Addition {
  readonly flavor: Flavor
  readonly names: Names
  readonly types: ColumnTypes
  readonly found: FoundTables
  readonly layout: FoundLayout["layout"]
}

/** What makes tables of a published adapter faster and more complete. That adapter can use them as before. */
export async function additions(database: Database, { layout, found = {}, candidates }: FoundLayout): Promise<Sql[]> {
  const { db, flavor, names } = database
  const addition = { flavor, names, types: await flavor.columnTypes(db), found, layout }
  const unique = await uniqueIndexes(addition, db)
  return [
    ...unique,
    ...indexes(addition),
    ...columns(addition),
    ...passkeys(addition, candidates?.authenticators[0]),
    ...rateLimits(addition, candidates?.rateLimits[0]),
  ]
}

async function uniqueIndexes({ names, layout }: Addition, db: Kysely<unknown>): Promise<Sql[]> {
  const statements: Sql[] = []
  for (const table of tableNames) {
    const map = layout.tables[table]
    for (const key of map.guards) {
      if (await hasDuplicates(db, map, key)) continue
      const on = key.map((field) => sql.id(requireColumn(map.columns, field).name))
      const name = sql.id(`${names.prefix}latchkey_${map.name}_key`)
      statements.push(sql`create unique index ${name} on ${sql.id(map.name)} (${sql.join(on)})`)
    }
  }
  return statements
}

/** Whether rows have the same key, so that it can't get a unique index. */
export async function hasDuplicates(db: Kysely<unknown>, map: TableMap, key: readonly string[]): Promise<boolean> {
  const columns = key.map((field) => columnOf(map, field))
  const given = columns.map((column) => sql`${column} is not null`)
  const { rows } =
    await sql`select count(*) as rows_with_key from ${sql.id(map.name)} where ${sql.join(given, sql` and `)}
    group by ${sql.join(columns)} having count(*) > 1 limit 1`.execute(db)
  return rows.length > 0
}

/** Indexes for the sweep, and for what belongs to a user. */
function indexes({ names, layout, found }: Addition): Sql[] {
  const wanted = [
    ["accounts", "userId"],
    ["sessions", "userId"],
    ["sessions", "expires"],
    ["verificationTokens", "expires"],
    ["authenticators", "userId"],
  ] as const
  return wanted.flatMap(([table, field]) => {
    const map = layout.tables[table]
    if (map.missing !== undefined) return []
    const column = requireColumn(map.columns, field).name
    if (found[table]?.indexed.includes(column) === true) return []
    const name = sql.id(`${names.prefix}latchkey_${map.name}_${column}`)
    return [sql`create index ${name} on ${sql.id(map.name)} (${sql.id(column)})`]
  })
}

/** Columns for fields that have none. */
function columns({ layout, types }: Addition): Sql[] {
  const add = (map: TableMap, name: string) =>
    sql`alter table ${sql.id(map.name)} add column ${sql.id(name)} ${sql.raw(types.json)}`
  return tableNames.flatMap((table) => {
    const map = layout.tables[table]
    if (map.missing !== undefined) return []
    const { isOpen, optional } = tableFields[table]
    const hasDetails = map.columns.some(({ field }) => field === "details")
    return [
      ...(isOpen === true && !map.rest ? [add(map, "extra")] : []),
      ...(optional["details"] !== undefined && !hasDetails ? [add(map, "details")] : []),
    ]
  })
}

/** The type of the id includes its collation, which a foreign key of MySQL has to have too. */
function passkeys({ flavor, types, layout, found }: Addition, name: string | undefined): Sql[] {
  const { users, authenticators } = layout.tables
  const id = requireColumn(users.columns, "id").name
  const type = found.users?.columns.find((column) => column.name === id)?.type
  if (authenticators.missing === undefined || name === undefined || type === undefined) return []
  const { required, optional } = tableFields.authenticators
  const { credentialID: _key, userId: _owner, ...others } = { ...required, ...optional }
  const rest = Object.entries(others).map(([field, kind]) => {
    const column = sql`${sql.id(field)} ${sql.raw(types[kind === "details" ? "json" : kind])}`
    return Object.hasOwn(optional, field) ? column : sql`${column} not null`
  })
  return [
    sql`create table ${sql.id(name)} (${sql.id("credentialID")} ${sql.raw(types.base64Key)} primary key not null, ${sql.id("userId")} ${sql.raw(type)} not null, ${sql.join(rest)}, foreign key (${sql.id("userId")}) references ${sql.id(users.name)} (${sql.id(id)}) on delete cascade)${flavor.tableOptions(types)}`,
    sql`create index ${sql.id(`latchkey_${name}_userId`)} on ${sql.id(name)} (${sql.id("userId")})`,
  ]
}

function rateLimits({ flavor, types, layout }: Addition, name: string | undefined): Sql[] {
  if (layout.tables.rateLimits.missing === undefined || name === undefined) return []
  const integer = sql.raw("integer not null")
  return [
    sql`create table ${sql.id(name)} (${sql.id("key")} ${sql.raw(types.key)} primary key not null, points ${integer}, refused ${integer}, resets ${sql.raw(types.number)} not null)${flavor.tableOptions(types)}`,
    sql`create index ${sql.id(`${name}_resets`)} on ${sql.id(name)} (resets)`,
  ]
}
