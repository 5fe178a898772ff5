import { assertStorable, takeRow, type TextChange } from "@latchkey/core/adapters"
import { type Delegate, type Fields, type Models, type Query, type Row, typeOf } from "./client.js"
import { explain, findsNone, reachedDatabase } from "./failures.js"
import { toField } from "./values.js"

/** Runs the queries of this package with a client or in a transaction. */
export interface Store {
  readonly models: Models
  /** Whether it's in a transaction. */
  readonly isInside: boolean
  /** Undefined in a transaction, or if the client has none. */
  readonly transact: (<Result>(work: (inside: Store) => Promise<Result>) => Promise<Result>) | undefined
  /** The rows with exactly these values. */
  find(model: Delegate, key: Row, options?: Omit<Query, "where">, more?: Fields): Promise<Row[]>
  insert(model: Delegate, row: Fields): Promise<Row>
  /** Changes a row and returns it. */
  update(model: Delegate, key: Row, changes: Fields): Promise<Row | undefined>
  /** Changes the row if it also meets a condition. Returns whether it did. */
  change(model: Delegate, key: Row, changes: Fields, more: Fields): Promise<boolean>
  /** Changes a text if it's still the given one. Returns whether it was. */
  replace(model: Delegate, key: Row, change: TextChange): Promise<boolean>
  /** Deletes a row and returns it. Of parallel calls, only one gets it. */
  take(model: Delegate, key: Row): Promise<Row | undefined>
  /** Deletes all rows with these values, and returns their number. */
  remove(model: Delegate, key: Row, more?: Fields): Promise<number>
  run<Result>(query: () => PromiseLike<Result>): Promise<Result>
  /** Returns `none` if the database rejects the query because no row can have the values. */
  read<Result>(query: () => PromiseLike<Result>, none: Result): Promise<Result>
}

/** Whether a query in a transaction has failed in the database. */
export interface Failure {
  isKnown: boolean
}

export function createStore(models: Models, transact: Store["transact"], failure?: Failure): Store {
  const run: Store["run"] = async (query) => {
    // MySQL would run it outside of the transaction after a deadlock.
    if (failure?.isKnown) throw rolledBack()
    try {
      return await query()
    } catch (error) {
      if (failure && reachedDatabase(error)) failure.isKnown = true
      throw explain(error)
    }
  }
  const read: Store["read"] = (query, none) => orNone(run(query), none)
  const find: Store["find"] = async (model, key, options, more = {}) => {
    const where = whereOf(model, key)
    if (where === undefined) return []
    // The usual collations of MySQL ignore case, accents and trailing spaces.
    return (await read(() => model.findMany({ where: { ...where, ...more }, ...options }), [])).filter((row) =>
      isExact(row, where),
    )
  }
  const remove: Store["remove"] = async (model, values, more = {}) => {
    const where = whereOf(model, values)
    return where ? (await read(() => model.deleteMany({ where: { ...where, ...more } }), { count: 0 })).count : 0
  }
  const change: Store["change"] = async (model, key, changes, more) => {
    const where = whereOf(model, key)
    if (where === undefined) return false
    assertValues(changes)
    const { count } = await run(() => model.updateMany({ where: { ...where, ...more }, data: changes }))
    return count > 0
  }
  return {
    models,
    isInside: failure !== undefined,
    transact,
    run,
    read,
    find,
    insert: async (model, data) => {
      assertValues(data)
      return run(() => model.create({ data }))
    },
    update: async (model, key, data) => {
      const where = whereOf(model, key)
      if (where === undefined) return undefined
      assertValues(data)
      try {
        const { count } = await run(() => model.updateMany({ where, data }))
        return count > 0 ? (await find(model, key))[0] : undefined
      } catch (error) {
        // The value that doesn't fit may be a new one.
        if (failure || !findsNone(error) || (await find(model, key)).length > 0) throw error
        return undefined
      }
    },
    change,
    replace: (model, key, { column, before, after }) =>
      change(model, key, { [column]: after }, { [column]: before ?? null }),
    take: (model, key) =>
      takeRow({ key, find: async () => (await find(model, key))[0], remove: (values) => remove(model, values) }),
    remove,
  }
}

export function rolledBack(): Error {
  return new Error("The transaction was rolled back, because a query in it failed.")
}

async function orNone<Result>(result: Promise<Result>, none: Result): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (findsNone(error)) return none
    throw error
  }
}

function whereOf(model: Delegate, key: Row): Fields | undefined {
  const entries = Object.entries(key).map(([name, value]) => [name, toField(typeOf(model, name), value)] as const)
  if (entries.length === 0) throw new Error("The key is empty. Pass the values that identify the row.")
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}

function isExact(row: Row, where: Fields): boolean {
  return Object.entries(where).every(([name, value]) => row[name] === value)
}

function assertValues(fields: Fields): void {
  for (const value of Object.values(fields)) assertStorable(value)
}
