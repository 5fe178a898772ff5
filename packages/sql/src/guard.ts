import { UniqueViolation } from "@latchkey/core/adapters"
import { sql } from "kysely"
import { type Executor, type Subject } from "./queries.js"
import { type Assignment, condition, keyParameters } from "./rows.js"

export interface Write {
  readonly assignments: readonly Assignment[]
  /** The row that an update is for. */
  readonly keys: readonly Assignment[]
}

/**
 * Keeps keys unique in a table without unique indexes. It can't see writes of programs that don't use this package. In a table
 * with unique indexes, it only runs the work.
 */
export async function guarded<Result>(
  subject: Subject,
  write: Write,
  work: (executor: Executor) => Promise<Result>,
): Promise<Result> {
  const keys = subject.map.guards
    .map((fields) => writtenKey(fields, write.assignments))
    .filter(({ length }) => length > 0)
  if (keys.length === 0) return work(subject.executor)
  return subject.executor.together(async (executor) => {
    for (const key of keys) await requireFree({ executor, map: subject.map }, key, write.keys)
    return work(executor)
  })
}

/** The columns of a key, if the statement writes all of them. */
function writtenKey(fields: readonly string[], assignments: readonly Assignment[]): readonly Assignment[] {
  const written = assignments.filter(({ column, value }) => fields.includes(column.field) && value !== null)
  return written.length === fields.length ? written : []
}

async function requireFree(
  { executor, map }: Subject,
  key: readonly Assignment[],
  except: readonly Assignment[],
): Promise<void> {
  const { flavor, statements } = executor
  const id = [map.name, ...keyParameters(key)].join("\n")
  const { keyLock } = flavor
  if (keyLock)
    await executor.run(
      statements.query("lock", () => keyLock(""), [id]),
      map,
    )
  const other = except.length === 0 ? sql`` : sql` and not (${condition(except, map, flavor)})`
  const build = () =>
    sql`select 1 as taken from ${sql.id(map.name)} where ${condition(key, map, flavor)}${other} limit 1`
  const name = [...key, ...except].map(({ column }) => column.field).join()
  const query = statements.query(`free ${map.name} ${name}`, build, [...keyParameters(key), ...keyParameters(except)])
  if ((await executor.run(query, map)).rows.length === 0) return
  throw new UniqueViolation(`The row already exists (${map.name}). Read it and use that row.`)
}
