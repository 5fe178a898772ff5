import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely"
import type { BatchStatement } from "./dialect.js"
import { withSqliteCode } from "./sqlite-code.js"

/** The part of the binding of a D1 database that this package uses. */
export interface D1Binding {
  prepare(sql: string): D1Statement
  batch(statements: D1Statement[]): Promise<unknown>
}

export interface D1Statement {
  bind(...values: (string | number | null)[]): D1Statement
  all(): Promise<D1Result>
}

export interface D1Result {
  readonly results: unknown[]
  readonly meta: { readonly changes?: number }
}

/** D1 runs each statement in a transaction of its own. */
export class D1Driver implements Driver {
  readonly #open: () => D1Binding

  constructor(open: () => D1Binding) {
    this.#open = open
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this.#open())
  }

  async beginTransaction(): Promise<never> {
    throw new Error("D1 has no interactive transactions. Run each statement by itself.")
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class Connection implements DatabaseConnection {
  readonly #binding: D1Binding

  constructor(binding: D1Binding) {
    this.#binding = binding
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { results, meta } = await bound(this.#binding, query).all()
      // Kysely knows the type of the rows; the driver only gets the SQL text.
      return { rows: results as Row[], numAffectedRows: BigInt(meta.changes ?? 0) }
    } catch (error) {
      throw withSqliteCode(error)
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query)
  }
}

export function bound(binding: D1Binding, { sql, parameters }: BatchStatement): D1Statement {
  return binding.prepare(sql).bind(...parameters.map(valueOf))
}

function valueOf(value: unknown): string | number | null {
  if (typeof value === "string" || typeof value === "number") return value
  if (typeof value === "boolean" || typeof value === "bigint") return Number(value)
  return value === null || value === undefined ? null : JSON.stringify(value)
}
