import { isStorable } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Flavor } from "./flavors/flavor.js"
import type { Sql } from "./flavors/sql.js"
import type { Column, TableMap } from "./layouts/table-map.js"

export type Fields = Readonly<Record<string, unknown>>

/** A column with the value that an insert or update gives it. */
export interface Assignment {
  readonly column: Column
  readonly value: unknown
}

export function allColumns({ columns, rest }: TableMap): readonly Column[] {
  return rest ? [...columns, rest] : columns
}

/** The columns to select. Their names in the result are the names of the fields. */
export function selection(map: TableMap, prefix = ""): Sql {
  const columns = allColumns(map).map(
    ({ field, name, storage }) => sql`${storage.read(sql.id(map.name, name))} as ${sql.id(prefix + field)}`,
  )
  return sql.join(columns)
}

/** Returns the fields of a selected row. Those in `rest` can't replace others. */
export function decoderOf(map: TableMap, prefix = ""): (row: Fields) => Record<string, unknown> {
  // Every request with a session runs this for each column, so the names are made once.
  const columns = map.columns.map((column) => ({ ...column, selected: prefix + column.field }))
  const { rest } = map
  const selectedRest = rest ? prefix + rest.field : ""
  return (row) => {
    const stored = rest && row[selectedRest]
    const fields: Record<string, unknown> = isGiven(stored) ? { ...Object(rest?.storage.decode(stored)) } : {}
    for (const { field, selected, storage, optional } of columns) {
      const value = row[selected]
      if (isGiven(value)) fields[field] = storage.decode(value)
      else if (optional !== true) fields[field] = null
    }
    return fields
  }
}

function isGiven(stored: unknown): boolean {
  return stored !== null && stored !== undefined
}

/** The columns for the given fields, without those that the database assigns. `undefined` counts as not given. */
function assign({ columns, rest, dropped }: TableMap, fields: Fields): Assignment[] {
  const given = new Map(Object.entries(fields).filter(([, value]) => value !== undefined))
  const assigned = columns.flatMap((column): Assignment[] => {
    if (!given.has(column.field)) return []
    const value = given.get(column.field)
    given.delete(column.field)
    return column.generated === true ? [] : [{ column, value }]
  })
  if (!rest) return assigned
  for (const field of dropped) given.delete(field)
  return [...assigned, { column: rest, value: Object.fromEntries(given) }]
}

export function assignNew(map: TableMap, fields: Fields): Assignment[] {
  const given = assign(map, fields)
  return [...given, ...missingIn(given, map.columns, ({ onInsert }) => onInsert)]
}

export function assignChanges(map: TableMap, fields: Fields): Assignment[] {
  const given = assign(map, fields)
  return [...given, ...missingIn(given, map.columns, ({ onUpdate }) => onUpdate)]
}

function missingIn(
  given: readonly Assignment[],
  columns: readonly Column[],
  valueOf: (column: Column) => (() => unknown) | undefined,
): Assignment[] {
  const assigned = new Set(given.map(({ column }) => column))
  return columns.flatMap((column) => {
    const value = valueOf(column)
    return value && !assigned.has(column) ? [{ column, value: value() }] : []
  })
}

export function parameterOf({ column, value }: Assignment): unknown {
  return value === null ? null : column.storage.encode(value)
}

/** Whether a row can have these values. */
export function canMatch(where: readonly Assignment[]): boolean {
  return where.every(({ column, value }) => isGiven(value) && column.storage.holds(value) && isStorable(value))
}

export function parameter({ storage }: Column): Sql {
  return storage.write(sql`${""}`)
}

/** Equality with a parameter for each column, or two. Their values are the {@link keyParameters}. */
export function condition(where: readonly Assignment[], { name }: TableMap, flavor: Flavor): Sql {
  const terms = where.map(({ column }) => {
    const reference = sql.id(name, column.name)
    const equal = sql`${reference} = ${parameter(column)}`
    // The first term is for the index.
    return column.inexact === true ? sql`${equal} and ${flavor.exactly(reference, parameter(column))}` : equal
  })
  return sql.join(terms, sql` and `)
}

export function keyParameters(where: readonly Assignment[]): readonly unknown[] {
  return where.flatMap((key) => {
    const value = parameterOf(key)
    return key.column.inexact === true ? [value, value] : [value]
  })
}

export function columnOf({ name, columns }: TableMap, field: string): Sql {
  return sql.id(name, requireColumn(columns, field).name)
}

export function requireColumn(columns: readonly Column[], field: string): Column {
  const column = columns.find((each) => each.field === field)
  if (!column) throw new Error(`The table has no column for ${field}. Set its name in the option \`tables\`.`)
  return column
}

/** The columns of a condition. */
export function keysOf({ columns }: TableMap, where: object): Assignment[] {
  return Object.entries(where).map(([field, value]: [string, unknown]) => ({
    column: requireColumn(columns, field),
    value,
  }))
}
