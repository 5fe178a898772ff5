import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely"
import { type Codec, assertStorable, isStorable } from "./codec.js"
import { explain } from "./failures.js"
import type { Schema } from "./schema.js"

/** Runs the queries of this package in a database or a transaction. */
export interface Store {
  /** Builds queries, which `read`, `write` and `remove` run. */
  readonly db: Kysely<Schema>
  readonly codec: Codec
  /** Returns the matching rows. With a parameter that can't be stored, no row can match. */
  read<Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]>
  /** Returns the written rows. @throws TypeError if a parameter can't be stored */
  write<Row>(query: Compilable<Row>): Promise<Row[]>
  /** Deletes rows and returns their number. */
  remove(query: Compilable): Promise<number>
  /** Runs `work` in the current transaction, or in a new one. */
  transact<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
}

export interface StoreOptions {
  readonly db: Kysely<Schema>
  readonly codec: Codec
  /** Awaited before each query. */
  ready(): Promise<void> | undefined
}

export function createStore(options: StoreOptions): Store {
  const { db, codec, ready } = options
  const run = async <Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> =>
    withExplainedErrors(async () => {
      await ready()
      return db.executeQuery(query)
    })
  const store: Store = {
    db,
    codec,
    read: async (query) => {
      const compiled = "compile" in query ? query.compile() : query
      return compiled.parameters.every(isStorable) ? (await run(compiled)).rows : []
    },
    write: async (query) => {
      const compiled = query.compile()
      for (const parameter of compiled.parameters) assertStorable(parameter)
      return (await run(compiled)).rows
    },
    remove: async (query) => Number((await run(query.compile())).numAffectedRows ?? 0),
    transact: async (work) => {
      if (db.isTransaction) return work(store)
      const inside = (trx: Kysely<Schema>) => work(createStore({ ...options, db: trx, ready: () => undefined }))
      return withExplainedErrors(async () => {
        await ready()
        return db.transaction().execute(inside)
      })
    },
  }
  return store
}

async function withExplainedErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explain(error)
  }
}
