import { type Delegate, type Fields, type Models, type Row, typeOf } from "./client.js"
import { explain, reachedDatabase } from "./failures.js"
import { assertStorable, toField } from "./values.js"

/** Runs the queries of this package with a client or in a transaction. */
export interface Store {
  readonly models: Models
  /** Undefined in a transaction, or if the client has none. */
  readonly transact: (<Result>(work: (inside: Store) => Promise<Result>) => Promise<Result>) | undefined
  /** The rows with exactly these values. */
  find(model: Delegate, key: Row): Promise<Row[]>
  insert(model: Delegate, row: Fields): Promise<Row>
  /** Changes a row and returns it. */
  update(model: Delegate, key: Row, changes: Fields): Promise<Row | undefined>
  /** Changes a text if it's still the given one. Returns whether it was. */
  replace(model: Delegate, key: Row, change: TextChange): Promise<boolean>
  /** Deletes a row and returns it. Of parallel calls, only one gets it. */
  take(model: Delegate, key: Row): Promise<Row | undefined>
  /** Deletes all rows with these values. */
  remove(model: Delegate, key: Row): Promise<void>
  run<Result>(query: () => PromiseLike<Result>): Promise<Result>
}

export interface TextChange {
  readonly field: string
  readonly before: unknown
  readonly after: string
}

/** Whether a query in a transaction has failed in the database. */
export interface Failure {
  isKnown: boolean
}

export function createStore(models: Models, transact: Store["transact"], failure?: Failure): Store {
  const run: Store["run"] = async (query) => {
    try {
      return await query()
    } catch (error) {
      if (failure && reachedDatabase(error)) failure.isKnown = true
      throw explain(error)
    }
  }
  const find: Store["find"] = async (model, key) => {
    const where = whereOf(model, key)
    if (where === undefined) return []
    // The usual collations of MySQL ignore case, accents and trailing spaces.
    return (await run(() => model.findMany({ where }))).filter((row) => isExact(row, where))
  }
  return {
    models,
    transact,
    run,
    find,
    insert: async (model, data) => {
      assertValues(data)
      return run(() => model.create({ data }))
    },
    update: async (model, key, data) => {
      assertValues(data)
      const where = whereOf(model, key)
      if (where === undefined) return undefined
      const { count } = await run(() => model.updateMany({ where, data }))
      return count > 0 ? (await find(model, key))[0] : undefined
    },
    replace: async (model, key, { field, before, after }) => {
      const where = whereOf(model, key)
      if (where === undefined) return false
      const condition = { ...where, [field]: before ?? null }
      const { count } = await run(() => model.updateMany({ where: condition, data: { [field]: after } }))
      return count > 0
    },
    take: async (model, key) => {
      const [row] = await find(model, key)
      const where = row && whereOf(model, key)
      if (where === undefined) return undefined
      // `delete` of Prisma isn't atomic in databases without RETURNING. The count says who deleted the row.
      const { count } = await run(() => model.deleteMany({ where }))
      return count > 0 ? row : undefined
    },
    remove: async (model, key) => {
      const where = whereOf(model, key)
      if (where !== undefined) await run(() => model.deleteMany({ where }))
    },
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
