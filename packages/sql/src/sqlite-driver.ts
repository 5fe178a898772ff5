import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely"

/** What the driver needs of `better-sqlite3`. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  close(): unknown
}

interface SqliteStatement {
  /** Whether it answers rows. */
  readonly reader: boolean
  all(...parameters: unknown[]): unknown[]
  run(...parameters: unknown[]): { readonly changes: number }
}

/**
 * One connection for everybody, lent to one at a time. Unlike Kysely's own driver it keeps statements prepared, takes
 * the write lock when a transaction begins (one that starts as a reader may fail halfway when another process writes),
 * and waits neither for ever nor with the whole process standing still, as SQLite's own busy handler would.
 */
export class SqliteDriver implements Driver {
  readonly #open: () => SqliteDatabase
  readonly #patience: number
  readonly #waiting: (() => void)[] = []
  #connection: Connection | undefined
  #lent = false

  constructor(open: () => SqliteDatabase, patience: number) {
    this.#open = open
    this.#patience = patience
  }

  async init(): Promise<void> {
    this.#connection = new Connection(await patiently(this.#patience, this.#open), this.#patience)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = this.#connection
    if (!connection) throw new Error("The database is closed: make a new adapter")
    if (this.#lent) await this.#turn()
    this.#lent = true
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
    // It stays lent when it is handed on, so that nobody slips in between.
    if (next) next()
    else this.#lent = false
  }

  async destroy(): Promise<void> {
    this.#connection?.close()
    this.#connection = undefined
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        const held = `A transaction has held the database for ${this.#patience} ms`
        reject(new Error(`${held}: inside \`transaction\` use only the adapter that it hands to its work`))
      }, this.#patience)
      this.#waiting.push(go)
    })
  }
}

class Connection implements DatabaseConnection {
  readonly #database: SqliteDatabase
  readonly #patience: number
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(database: SqliteDatabase, patience: number) {
    this.#database = database
    this.#patience = patience
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return patiently(this.#patience, () => {
      const statement = this.#prepared(sql)
      // `all` knows nothing of the row's type; the query that was compiled to this text does.
      if (statement.reader) return { rows: statement.all(...parameters) as Row[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
    })
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query)
  }

  async run(sql: string): Promise<void> {
    await patiently(this.#patience, () => this.#prepared(sql).run())
  }

  close(): void {
    this.#database.close()
  }

  #prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** Tries again while another connection has the database locked: it may be one of this very process. */
async function patiently<Result>(patience: number, work: () => Result): Promise<Result> {
  const deadline = performance.now() + patience
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > deadline) {
        throw new Error(`Another connection has held the database for ${patience} ms: try again`, { cause: error })
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Milliseconds between two attempts. */
const pause = 5

/** `SQLITE_BUSY` and its kin (https://www.sqlite.org/rescode.html#busy). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && String(Reflect.get(error, "code")).startsWith("SQLITE_BUSY")
}
