import { takeRow } from "@latchkey/core/adapters"
import type { Dialect, Insert, Row, Write } from "./database.js"
import type { Model } from "./tables.js"

interface Runner {
  /** The rows with these values. */
  find(model: Model, key: Row): Promise<Row[]>
  write<Result>(query: () => PromiseLike<Result>): Promise<Result>
}

/** Runs writes and returns the rows that they changed. */
export interface Writer {
  insert(model: Model, query: Insert, key: readonly string[], row: Row): Promise<Row>
  update(model: Model, query: Write, key: Row): Promise<Row | undefined>
  /** Deletes the row that it returns. */
  take(model: Model, deletion: Deletion, key: Row): Promise<Row | undefined>
  /** Returns the number of rows. */
  count(query: Write): Promise<number>
}

/** Deletes the rows with these values. */
export type Deletion = (key: Row) => Write

export function createWriter(dialect: Dialect, runner: Runner): Writer {
  return dialect === "mysql" ? readingWriter(runner) : returningWriter(runner)
}

function returningWriter({ write }: Runner): Writer {
  return {
    insert: async (_model, query) => found(await write(() => query.returning())),
    update: async (_model, query) => (await write(() => query.returning()))[0],
    take: async (_model, deletion, key) => (await write(() => deletion(key).returning()))[0],
    count: async (query) => (await write(() => query.returning())).length,
  }
}

/** For MySQL, which has no RETURNING. */
function readingWriter({ find, write }: Runner): Writer {
  const count = async (query: Write) => affectedRows(await write(() => query))
  return {
    insert: async (model, query, key, row) => {
      const [made] = await write(() => query.$returningId())
      const stored = { ...row, ...made }
      return found(await find(model, Object.fromEntries(key.map((name) => [name, stored[name]]))))
    },
    update: async (model, query, key) => {
      await write(() => query)
      return (await find(model, key))[0]
    },
    take: (model, deletion, key) =>
      takeRow({
        key,
        table: model.name,
        find: async () => (await find(model, key))[0],
        remove: (row) => count(deletion(row)),
      }),
    count,
  }
}

/** Drivers return the number of rows in different places. */
export function affectedRows(result: unknown): number {
  const header: unknown = Array.isArray(result) ? result[0] : result
  const counts = ["affectedRows", "rowsAffected"].map((name): unknown => Reflect.get(Object(header), name))
  const count = counts.find((found) => typeof found === "number")
  if (typeof count === "number") return count
  throw new Error("The driver doesn't return the number of deleted rows. Use mysql2, PlanetScale or TiDB.")
}

function found([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("The database didn't return the stored row. Check its triggers and policies.")
  return row
}
