import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely"
import { retryWhileBusy } from "./retry-while-busy.js"

/** What `node:sqlite`, `bun:sqlite` and `better-sqlite3` have in common. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  close(): unknown
}

export interface SqliteStatement {
  /** Whether the statement returns rows. Only `better-sqlite3` says so, and refuses `all` if it doesn't. */
  readonly reader?: boolean
  all(...parameters: unknown[]): unknown[]
  run(...parameters: unknown[]): { readonly changes: number | bigint }
}

/**
 * Uses a single connection, for one caller at a time. Unlike the driver of Kysely, it
 * - reuses prepared statements,
 * - takes the write lock at the start of a transaction, because getting it later fails if another process writes meanwhile,
 * - waits for a lock with a timeout and without blocking the event loop, unlike the busy handler of SQLite.
 */
export class SqliteDriver implements Driver {
  readonly #open: () => SqliteDatabase | Promise<SqliteDatabase>
  readonly #timeoutMs: number
  readonly #waiting: (() => void)[] = []
  #connection: Connection | undefined
  #inUse = false

  constructor(open: () => SqliteDatabase | Promise<SqliteDatabase>, timeoutMs: number) {
    this.#open = open
    this.#timeoutMs = timeoutMs
  }

  async init(): Promise<void> {
    this.#connection = new Connection(await retryWhileBusy(this.#timeoutMs, this.#open), this.#timeoutMs)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = this.#connection
    if (!connection) throw new Error("The adapter is closed. Create a new one.")
    if (this.#inUse) await this.#waitForTurn()
    this.#inUse = true
    return connection
  }

  async beginTransaction(): Promise<void> {
    await this.#connection?.run("begin immediate")
  }

  async commitTransaction(): Promise<void> {
    await this.#connection?.run("commit")
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection?.run("rollback")
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    // The connection stays in use when the next caller gets it, so that no other caller can take it.
    if (next) next()
    else this.#inUse = false
  }

  async destroy(): Promise<void> {
    this.#connection?.close()
    this.#connection = undefined
  }

  #waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1)
        const advice = "In the callback of `transaction`, use only the adapter that it receives."
        reject(new Error(`A transaction has locked the database for ${this.#timeoutMs} ms. ${advice}`))
      }, this.#timeoutMs)
      this.#waiting.push(start)
    })
  }
}

class Connection implements DatabaseConnection {
  readonly #database: SqliteDatabase
  readonly #timeoutMs: number
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(database: SqliteDatabase, timeoutMs: number) {
    this.#database = database
    this.#timeoutMs = timeoutMs
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return retryWhileBusy(this.#timeoutMs, () => {
      const statement = this.#prepare(sql)
      if (statement.reader === false) return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
      // Kysely knows the type of the rows; the driver only gets the SQL text.
      const rows = statement.all(...parameters) as Row[]
      return rows.length > 0 ? { rows } : { rows, numAffectedRows: this.#changes() }
    })
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query)
  }

  async run(sql: string): Promise<void> {
    await retryWhileBusy(this.#timeoutMs, () => this.#prepare(sql).run())
  }

  close(): void {
    this.#database.close()
  }

  /** The number of rows that the last insert, update or delete changed. */
  #changes(): bigint {
    const [row] = this.#prepare("select changes() as changes").all()
    return BigInt((row as { changes: number | bigint }).changes)
  }

  #prepare(sql: string): SqliteStatement {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
