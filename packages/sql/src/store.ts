import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely"
import { type Codec, demandStorable, isStorable } from "./codec.js"
import { explain } from "./failures.js"
import type { Schema } from "./schema.js"

/** A database, or a transaction in it, as the queries of this package use it. */
export interface Store {
  /** Makes queries; they are run by `read` and `write`. */
  readonly db: Kysely<Schema>
  readonly codec: Codec
  /** Rows that match. A text that cannot be stored is in no row, so that asking for one finds nothing. */
  read<Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]>
  /** Rows that were written. A text that cannot be stored is refused. */
  write<Row>(query: Compilable<Row>): Promise<Row[]>
  /** Deletes rows, and counts them. */
  remove(query: Compilable): Promise<number>
  /** Runs `work` in a transaction: a new one, or the one that this store is. */
  transact<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
}

export interface StoreOptions {
  readonly db: Kysely<Schema>
  readonly codec: Codec
  /** Awaited before everything else. */
  ready(): Promise<void> | undefined
}

export function storeOver(options: StoreOptions): Store {
  const { db, codec, ready } = options
  const run = async <Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> =>
    explained(async () => {
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
      for (const parameter of compiled.parameters) demandStorable(parameter)
      return (await run(compiled)).rows
    },
    remove: async (query) => Number((await run(query.compile())).numAffectedRows ?? 0),
    transact: async (work) => {
      if (db.isTransaction) return work(store)
      const inside = (trx: Kysely<Schema>) => work(storeOver({ ...options, db: trx, ready: () => undefined }))
      return explained(async () => {
        await ready()
        return db.transaction().execute(inside)
      })
    },
  }
  return store
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explain(error)
  }
}
