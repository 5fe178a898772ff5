import { assertStorable, type TextChange } from "@latchkey/core/adapters"
import { type SQL, sql } from "drizzle-orm"
import { matching, uncached, unchanged } from "./conditions.js"
import { type Dialect, hasTransactions, type Queries, type Row, type Select } from "./database.js"
import { endsTransaction, explain } from "./failures.js"
import type { Model, Models } from "./tables.js"
import { exclusively, type Turns, turnsFor } from "./turns.js"
import { createWriter, type Writer } from "./writer.js"

/** Runs the queries of this package in a database or a transaction. */
export interface Store {
  readonly db: Queries
  readonly dialect: Dialect
  readonly models: Models
  readonly hasTransactions: boolean
  /** Whether PostgreSQL keeps the prepared statement of `getSessionAndUser`. */
  readonly prepare: boolean
  /** The rows with these values. */
  find(model: Model, key: Row, part?: (select: Select) => Select, more?: SQL): Promise<Row[]>
  /** Stores a row and returns it, with the values that the database added. `key` names the columns that identify it. */
  insert(model: Model, row: Row, key: readonly string[]): Promise<Row>
  /** Changes a row and returns it. */
  update(model: Model, key: Row, changes: Row): Promise<Row | undefined>
  /** Changes the row if it also meets a condition. Returns whether it did. */
  change(model: Model, key: Row, changes: Row, more: SQL): Promise<boolean>
  /** Changes a text if it's still the given one. Returns whether it was. */
  replace(model: Model, key: Row, change: TextChange): Promise<boolean>
  /** Deletes a row and returns it. Of parallel calls, only one gets it. */
  take(model: Model, key: Row): Promise<Row | undefined>
  /** Deletes the row with these values. Returns whether there was one. */
  discard(model: Model, key: Row): Promise<boolean>
  /** Deletes all rows with these values. */
  remove(model: Model, key: Row, more?: SQL): Promise<void>
  removeWhere(model: Model, condition: SQL): Promise<void>
  /** Runs a statement of SQLite, and returns its rows. */
  all(statement: SQL): PromiseLike<Row[]>
  /** Runs `work` in the current transaction, in a new one, or without if the database has none. */
  transact<Result>(work: (inside: Store) => Promise<Result>): Promise<Result>
  read<Result>(query: () => PromiseLike<Result>): Promise<Result>
  write<Result>(query: () => PromiseLike<Result>): Promise<Result>
}

const always = sql`1 = 1`

export interface StoreOptions {
  readonly db: Queries
  readonly dialect: Dialect
  readonly models: Models
  readonly prepare: boolean
}

interface Settings extends StoreOptions {
  readonly hasTransactions: boolean
  /** SQLite has a single writer, so writes wait for each other here instead of failing with SQLITE_BUSY. */
  readonly turns: Turns | undefined
  /** Of a transaction that a query has ended. */
  readonly failure: { isKnown: boolean } | undefined
}

export function createStore(options: StoreOptions): Store {
  const { db, dialect } = options
  const isPossible = hasTransactions(db)
  const turns = dialect === "sqlite" && isPossible ? turnsFor(db) : undefined
  return build({ ...options, hasTransactions: isPossible, turns, failure: undefined })
}

function build(settings: Settings): Store {
  const { db, dialect, turns } = settings
  const read: Store["read"] = async (query) => explained(query, settings)
  const write: Store["write"] = async (query) => exclusively(turns, () => explained(query, settings))
  const find: Store["find"] = async (model, key, part = (select) => select, more = always) => {
    const condition = matching(dialect, model.columns, key)
    if (condition === undefined) return []
    return read(() => part(uncached(db.select(model.columns).from(model.table)).where(sql`${condition} and ${more}`)))
  }
  const store: Store = {
    ...settings,
    ...writes(settings, createWriter(dialect, { find, write }), write),
    read,
    write,
    find,
    all: async (statement) => db.all(statement),
    transact: async (work) => transact(settings, store, work),
  }
  return store
}

function writes(
  { db, dialect }: Settings,
  writer: Writer,
  write: Store["write"],
): Pick<Store, "insert" | "update" | "change" | "replace" | "take" | "discard" | "remove" | "removeWhere"> {
  const change: Store["change"] = async (model, key, changes, more) => {
    const condition = matching(dialect, model.columns, key)
    if (condition === undefined) return false
    for (const value of Object.values(changes)) assertStorable(value)
    return (await writer.count(db.update(model.table).set(changes).where(sql`${condition} and ${more}`))) > 0
  }
  const removeWhere: Store["removeWhere"] = async (model, condition) =>
    void (await write(() => db.delete(model.table).where(condition)))
  return {
    change,
    removeWhere,
    insert: async (model, row, key) => {
      assertRow(model, row)
      return writer.insert(model, db.insert(model.table).values(row), key, row)
    },
    update: async (model, key, changes) => {
      const condition = matching(dialect, model.columns, key)
      if (condition === undefined) return undefined
      for (const value of Object.values(changes)) assertStorable(value)
      return writer.update(model, db.update(model.table).set(changes).where(condition), key)
    },
    replace: (model, key, { column, before, after }) =>
      change(model, key, { [column]: after }, unchanged(dialect, model.columns, column, before)),
    take: async (model, key) => {
      if (matching(dialect, model.columns, key) === undefined) return undefined
      const deletion = (row: Row) => db.delete(model.table).where(matching(dialect, model.columns, row) ?? sql`false`)
      return writer.take(model, deletion, key)
    },
    discard: async (model, key) => {
      const condition = matching(dialect, model.columns, key)
      return condition !== undefined && (await writer.count(db.delete(model.table).where(condition))) > 0
    },
    remove: async (model, key, more = always) => {
      const condition = matching(dialect, model.columns, key)
      if (condition !== undefined) await removeWhere(model, sql`${condition} and ${more}`)
    },
  }
}

async function transact<Result>(
  settings: Settings,
  store: Store,
  work: (inside: Store) => Promise<Result>,
): Promise<Result> {
  if (settings.failure !== undefined || !settings.hasTransactions) return work(store)
  const outcome: { value?: Result; error?: { readonly reason: unknown } } = {}
  const run = async (db: Queries) => {
    const failure = { isKnown: false }
    try {
      outcome.value = await work(build({ ...settings, db, turns: undefined, failure }))
    } catch (reason) {
      outcome.error = { reason }
      throw reason
    }
    // The database would report no error.
    if (failure.isKnown) throw rolledBack()
  }
  await exclusively(settings.turns, async () => {
    try {
      // At the default of MySQL, a change by another process stays invisible after it was read once.
      if (settings.dialect === "mysql") await settings.db.transaction(run, { isolationLevel: "read committed" })
      else await settings.db.transaction(run)
    } catch (error) {
      throw outcome.error ? outcome.error.reason : explain(error)
    }
  })
  // `run` has set it, or the transaction has failed.
  return outcome.value as Result
}

async function explained<Result>(query: () => PromiseLike<Result>, { dialect, failure }: Settings): Promise<Result> {
  // MySQL would run it outside of the transaction.
  if (failure?.isKnown) throw rolledBack()
  try {
    return await query()
  } catch (error) {
    if (failure && endsTransaction(error, dialect)) failure.isKnown = true
    throw explain(error)
  }
}

function rolledBack(): Error {
  return new Error("The transaction was rolled back, because a query in it failed.")
}

function assertRow({ name, columns }: Model, row: Row): void {
  for (const value of Object.values(row)) assertStorable(value)
  for (const [key, column] of Object.entries(columns)) {
    const isMissing = row[key] === undefined || row[key] === null
    if (!isMissing || !column.notNull || column.hasDefault || column.generated !== undefined) continue
    throw new Error(
      `The column \`${key}\` of the table \`${name}\` is required, but it has no value. Return it from \`profile()\` or \`account()\` of the provider, or give the column a default.`,
    )
  }
}
