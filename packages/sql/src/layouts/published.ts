import { newId } from "@latchkey/core/adapters"
import type { Flavor, Kind } from "../flavors/flavor.js"
import type { Catalog, CatalogColumn, CatalogTable } from "./catalog.js"
import { storingDetails } from "./details.js"
import { tableFields } from "./fields.js"
import type { Names } from "./names.js"
import { applyAdvice, type Column, type Layout, type TableMap, type TableName, tableNames } from "./table-map.js"

/** Tables of a published adapter that exist. */
export type FoundTables = Readonly<Partial<Record<TableName, CatalogTable>>>

export interface Published {
  readonly flavor: Flavor
  readonly names: Names
  readonly found: FoundTables
  readonly candidates: Candidates
}

/** Names that the tables of a published adapter can have. */
export type Candidates = Readonly<Record<TableName, readonly string[]>>

/** The layout of tables that a published adapter made. */
export function publishedLayout(published: Published): Layout {
  const maps = tableNames.map((table): [TableName, TableMap] => [table, mapOf(published, table)])
  const owned = ["accounts", "sessions", "authenticators"] as const
  const [users, accounts, sessions, verificationTokens, authenticators, rateLimits] = maps.map(([, map]) => map)
  if (!users || !accounts || !sessions || !verificationTokens || !authenticators || !rateLimits) {
    throw new Error("The layout has no tables. This is a bug of @latchkey/sql; please report it.")
  }
  const tables = { users, accounts, sessions, verificationTokens, authenticators, rateLimits }
  const hasNoCascade = (table: (typeof owned)[number]) => {
    const owner = tables[table].columns.find(({ field }) => field === "userId")
    return owner !== undefined && published.found[table]?.cascades.includes(owner.name) !== true
  }
  return { isOwn: false, tables, orphans: owned.filter(hasNoCascade) }
}

function mapOf(published: Published, name: TableName): TableMap {
  const table = published.found[name]
  if (!table) return missingTable(name, published.candidates[name][0] ?? name)
  const fields = standardColumns(published, name, table)
  const taken = new Set(fields.map((column) => column.name))
  const others = table.columns.filter((column) => !taken.has(column.name))
  const restColumn = isOpen(name) ? others.find((column) => isRest(published.flavor, column)) : undefined
  const rest: Column | undefined = restColumn && {
    field: "extra",
    name: restColumn.name,
    storage: published.flavor.storage("json", restColumn.type),
    merges: true,
  }
  const added = others
    .filter((column) => column !== restColumn)
    .flatMap((column) => otherColumn(published, name, column))
  const columns = [...fields, ...added]
  return { name: table.name, columns, rest, dropped: new Set(["details"]), guards: guardsOf(name, columns, table) }
}

function missingTable(table: TableName, name: string): TableMap {
  const isAdded = table === "authenticators" || table === "rateLimits"
  const missing = isAdded
    ? applyAdvice
    : `Create it as the published adapter documents, or set its name with \`tables: { ${table}: { name: "…" } }\`.`
  return { name, columns: [], rest: undefined, dropped: new Set(), guards: [], missing }
}

function isOpen(name: TableName): boolean {
  return tableFields[name].isOpen === true
}

/** The additive column for fields without a column of their own. */
function isRest({ name }: Flavor, column: CatalogColumn): boolean {
  return column.name === "extra" && (name === "postgres" ? column.type === "jsonb" : column.type.includes("text"))
}

function standardColumns({ flavor, names }: Published, name: TableName, table: CatalogTable): Column[] {
  const { required, optional } = tableFields[name]
  return Object.entries({ ...required, ...optional }).flatMap(([field, kind]): Column[] => {
    const column = names.find(name, field, table.columns)
    if (!column) {
      if (Object.hasOwn(required, field)) throw missingColumn(name, field, table)
      return []
    }
    return [standardColumn(flavor, { field, kind }, column)]
  })
}

function missingColumn(name: TableName, field: string, table: CatalogTable): Error {
  const has = table.columns.map((column) => column.name).join(", ")
  const option = `tables: { ${name}: { columns: { ${field}: "…" } } }`
  return new Error(
    `The table ${table.name} has no column for ${field} (it has ${has}). Add it, or set its name with \`${option}\`.`,
  )
}

interface Field {
  readonly field: string
  readonly kind: Kind | "details"
}

function standardColumn(flavor: Flavor, { field, kind }: Field, column: CatalogColumn): Column {
  const { name, type } = column
  if (kind === "details") {
    return { field, name, storage: storingDetails(flavor.storage("json", type)), merges: true, optional: true }
  }
  const isGenerated = field === "id" && (column.isSerial || (flavor.returning && column.isComputed))
  return {
    field,
    name,
    storage: flavor.storage(kind, type),
    ...(isGenerated && { generated: true }),
    ...(kind === "key" && !column.isExact && { inexact: true }),
  }
}

/** A column that the contract doesn't know, such as `role` of a user, or `id` and `createdAt` of a session. */
function otherColumn({ flavor, names }: Published, table: TableName, column: CatalogColumn): Column[] {
  const { name, type, isSerial } = column
  const onInsert = fillerOf(column)
  const isUpdated = isInstant(column) && /^updated_?at$/i.test(name)
  if (!isOpen(table) && !onInsert && !isUpdated) return []
  const given: Column = {
    field: names.fieldOf(table, name),
    name,
    storage: flavor.storage("any", type),
    // The published adapters return NULL in the columns of a user.
    ...(table !== "users" && { optional: true }),
    ...(isSerial && { generated: true }),
    ...(onInsert && { onInsert }),
    ...(isUpdated && { onUpdate: () => new Date() }),
  }
  return [given]
}

/** What Prisma assigns and not the database: ids, and the dates of rows. */
function fillerOf(column: CatalogColumn): (() => unknown) | undefined {
  if (column.hasDefault || column.isSerial) return undefined
  if (column.name === "id" && !column.type.includes("int")) return newId
  return isInstant(column) && column.notNull ? () => new Date() : undefined
}

function isInstant({ type }: CatalogColumn): boolean {
  return /date|time/.test(type)
}

/** The key, if no unique index keeps it unique. An index of fewer columns does that too. */
function guardsOf(name: TableName, columns: readonly Column[], { uniques }: CatalogTable): (readonly string[])[] {
  const { key } = tableFields[name]
  const keyColumns = columns.filter(({ field }) => key.includes(field)).map((column) => column.name)
  const isUnique = uniques.some((index) => index.every((column) => keyColumns.includes(column)))
  return isUnique ? [] : [key]
}

export function tablesIn(catalog: Catalog, candidates: Candidates): FoundTables {
  const find = (names: readonly string[]) => names.map((name) => catalog.get(name)).find((table) => table !== undefined)
  return Object.fromEntries(
    tableNames.flatMap((table) => {
      const found = find(candidates[table])
      return found ? [[table, found]] : []
    }),
  )
}
