import { assertStorable } from "@latchkey/core/adapters"
import { type CompiledQuery, type QueryResult, sql } from "kysely"
import type { Flavor } from "./flavors/flavor.js"
import type { Sql } from "./flavors/sql.js"
import type { TableMap } from "./layouts/table-map.js"
import { type Assignment, columnOf, condition, keyParameters, parameter, parameterOf, selection } from "./rows.js"
import type { Statements } from "./statements.js"

/** Runs the statements of tables in a database or a transaction. */
export interface Executor {
  readonly flavor: Flavor
  readonly statements: Statements
  run(query: CompiledQuery, map: TableMap): Promise<QueryResult<unknown>>
  /** Runs `work` in the current transaction, or in a new one. Without transactions, it just runs it. */
  together<Result>(work: (executor: Executor) => Promise<Result>): Promise<Result>
}

/** The table that a statement is for. */
export interface Subject {
  readonly executor: Executor
  readonly map: TableMap
}

export function namesOf(assignments: readonly Assignment[]): string {
  return assignments.map(({ column }) => column.field).join()
}

/** At most `limit` rows, those with the highest values of a field. */
export interface Last {
  readonly field: string
  readonly limit: number
}

export function runFind(
  { executor, map }: Subject,
  keys: readonly Assignment[],
  last?: Last,
): Promise<QueryResult<unknown>> {
  const all = () => findStatement(executor.flavor, map, keys)
  const build = () => (last ? sql`${all()} order by ${columnOf(map, last.field)} desc limit ${0}` : all())
  const key = `find ${last?.field ?? ""} ${map.name} ${namesOf(keys)}`
  const parameters = [...keyParameters(keys), ...(last ? [last.limit] : [])]
  return executor.run(executor.statements.query(key, build, parameters), map)
}

function findStatement(flavor: Flavor, map: TableMap, keys: readonly Assignment[]): Sql {
  return sql`select ${selection(map)} from ${sql.id(map.name)} where ${condition(keys, map, flavor)}`
}

export function runInsert(
  { executor, map }: Subject,
  values: readonly Assignment[],
  returns: boolean,
): Promise<QueryResult<unknown>> {
  const build = () => sql`insert into ${sql.id(map.name)} (${sql.join(values.map(({ column }) => sql.id(column.name)))})
    values (${sql.join(values.map(({ column }) => parameter(column)))})${returning({ executor, map }, returns)}`
  const parameters = storable(values.map(parameterOf))
  const key = `insert ${returns} ${map.name} ${namesOf(values)}`
  return executor.run(executor.statements.query(key, build, parameters), map)
}

export function runDelete({ executor, map }: Subject, keys: readonly Assignment[]): Promise<QueryResult<unknown>> {
  const build = () =>
    sql`delete from ${sql.id(map.name)} where ${condition(keys, map, executor.flavor)}${returning({ executor, map }, true)}`
  const key = `delete ${map.name} ${namesOf(keys)}`
  return executor.run(executor.statements.query(key, build, keyParameters(keys)), map)
}

/**
 * Deletes rows and returns them, in a database that can't do both at once. The rows are locked in between. Otherwise another process
 * could replace one of them, and the replacement would be deleted.
 */
export function takeRows({ executor, map }: Subject, keys: readonly Assignment[]): Promise<QueryResult<unknown>> {
  return executor.together(async (inside) => {
    const build = () => sql`${findStatement(inside.flavor, map, keys)}${inside.flavor.forUpdate}`
    const query = inside.statements.query(`lock ${map.name} ${namesOf(keys)}`, build, keyParameters(keys))
    const found = await inside.run(query, map)
    if (found.rows.length === 0) return found
    const { numAffectedRows } = await runDelete({ executor: inside, map }, keys)
    // Without transactions, another process may have deleted them.
    return numAffectedRows === 0n ? { rows: [] } : found
  })
}

export function returning({ executor, map }: Subject, wanted: boolean): Sql {
  return wanted && executor.flavor.returning ? sql` returning ${selection(map)}` : sql``
}

export function storable(parameters: readonly unknown[]): readonly unknown[] {
  for (const each of parameters) assertStorable(each)
  return parameters
}
