import { fieldsToJson } from "@latchkey/core/adapters"
import { type QueryResult, sql } from "kysely"
import type { Sql } from "./flavors/sql.js"
import { fromJson } from "./flavors/storage.js"
import type { TableMap } from "./layouts/table-map.js"
import { namesOf, returning, storable, type Subject } from "./queries.js"
import { type Assignment, condition, keyParameters, type Fields, parameter, parameterOf } from "./rows.js"

export interface Update {
  readonly keys: readonly Assignment[]
  readonly assignments: readonly Assignment[]
}

/**
 * Updates a row. Fields of a JSON column that aren't given stay as they are, also if another process changes them at the
 * same time. That needs no transaction, because D1 has none.
 */
export async function mergeFields(subject: Subject, { keys, assignments }: Update): Promise<QueryResult<unknown>> {
  const plain = assignments.filter(({ column }) => column.merges !== true)
  const patches = assignments.filter(({ column, value }) => column.merges === true && !isEmpty(value))
  const canMerge = subject.executor.flavor.mergeJson !== undefined
  if (patches.length === 0 || canMerge) return runUpdate(subject, { keys, assignments: [...plain, ...patches] })
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const result = await compareAndSet(subject, { keys, plain, patches })
    if (result) return result
  }
  throw new Error("Other requests change the row all the time. Try again.")
}

/** Of parallel updates, one succeeds at each attempt. */
const mostAttempts = 100

interface Merge {
  readonly keys: readonly Assignment[]
  readonly plain: readonly Assignment[]
  readonly patches: readonly Assignment[]
}

/** Merges in this process, and writes if no other one has changed the row in the meantime. */
async function compareAndSet(subject: Subject, merge: Merge): Promise<QueryResult<unknown> | undefined> {
  const { keys, plain, patches } = merge
  const before = await readPatched(subject, merge)
  if (before === undefined) return { rows: [], numAffectedRows: 0n }
  const merged = patches.map(({ column, value }) => {
    const stored = before[column.field]
    const patch = fromJson(column.storage.encode(value))
    return { column, stored, next: fieldsToJson({ ...(isText(stored) ? fromJson(stored) : {}), ...patch }) }
  })
  // MySQL may count only rows that change.
  const changed = merged.filter(({ stored, next }) => stored !== next)
  if (changed.length === 0) return runUpdate(subject, { keys, assignments: plain })
  const result = await runGuardedUpdate(subject, { keys, plain, changed })
  const isDone = subject.executor.flavor.returning ? result.rows.length > 0 : result.numAffectedRows !== 0n
  return isDone ? result : undefined
}

async function readPatched({ executor, map }: Subject, { keys, patches }: Merge): Promise<Fields | undefined> {
  const build = () => {
    const columns = patches.map(({ column }) => sql`${sql.id(column.name)} as ${sql.id(column.field)}`)
    // In a transaction, a read without a lock may return an old version of the row.
    return sql`select ${sql.join(columns)} from ${sql.id(map.name)} where ${condition(keys, map, executor.flavor)}${executor.flavor.forUpdate}`
  }
  const key = `patched ${map.name} ${namesOf(keys)} ${namesOf(patches)}`
  const { rows } = await executor.run(executor.statements.query(key, build, keyParameters(keys)), map)
  const [row] = rows
  return row === undefined ? undefined : Object(row)
}

interface Changed {
  readonly column: Assignment["column"]
  readonly stored: unknown
  readonly next: string
}

interface GuardedUpdate {
  readonly keys: readonly Assignment[]
  readonly plain: readonly Assignment[]
  readonly changed: readonly Changed[]
}

function runGuardedUpdate(subject: Subject, { keys, plain, changed }: GuardedUpdate): Promise<QueryResult<unknown>> {
  const { executor, map } = subject
  const build = () => {
    const texts = changed.map(({ column }) => sql`${sql.id(column.name)} = ${""}`)
    const unchanged = changed.map(({ column }) => executor.flavor.same(sql.id(column.name), sql`${""}`))
    return sql`update ${sql.id(map.name)} set ${sql.join([...plain.map(assignment), ...texts])}
      where ${condition(keys, map, executor.flavor)} and ${sql.join(unchanged, sql` and `)}${returning(subject, true)}`
  }
  const fields = changed.map(({ column }) => column.field).join()
  const key = `merge ${map.name} ${namesOf(keys)} ${namesOf(plain)} ${fields}`
  const written = storable([...plain.map(parameterOf), ...changed.map(({ next }) => next)])
  const guards = [...keyParameters(keys), ...changed.map(({ stored }) => stored)]
  return executor.run(executor.statements.query(key, build, [...written, ...guards]), map)
}

function runUpdate(subject: Subject, { keys, assignments }: Update): Promise<QueryResult<unknown>> {
  const { executor, map } = subject
  const build = () => {
    const changes = assignments.map((each) => (each.column.merges === true ? patched(subject, each) : assignment(each)))
    const sets = changes.length === 0 ? [toItself(map, keys)] : changes
    return sql`update ${sql.id(map.name)} set ${sql.join(sets)} where ${condition(keys, map, executor.flavor)}${returning(subject, true)}`
  }
  const parameters = [...storable(assignments.map(parameterOf)), ...keyParameters(keys)]
  const key = `update ${map.name} ${namesOf(keys)} ${namesOf(assignments)}`
  return executor.run(executor.statements.query(key, build, parameters), map)
}

function assignment({ column }: Assignment): Sql {
  return sql`${sql.id(column.name)} = ${parameter(column)}`
}

/** Locks the row: SQL doesn't allow an update without columns. PostgreSQL rejects any update of a generated id. */
function toItself({ columns }: TableMap, keys: readonly Assignment[]): Sql {
  const locked = columns.find((column) => column.generated !== true && keys.every((key) => key.column !== column))
  if (!locked)
    throw new Error("The table has no columns besides its key. This is a bug of @latchkey/sql; please report it.")
  return sql`${sql.id(locked.name)} = ${sql.id(locked.name)}`
}

function patched({ executor }: Subject, { column }: Assignment): Sql {
  const merged = executor.flavor.mergeJson?.(sql.id(column.name), parameter(column))
  return sql`${sql.id(column.name)} = ${merged ?? parameter(column)}`
}

function isEmpty(value: unknown): boolean {
  return Object.values(Object(value)).every((each) => each === undefined)
}

function isText(stored: unknown): boolean {
  return stored !== null && stored !== undefined
}
