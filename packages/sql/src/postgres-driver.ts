import { createHash } from "node:crypto"
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely"

/** What this package needs of a `Pool` of `pg`. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
}

export interface PgClient {
  query(query: { name?: string; text: string; values: unknown[] }): Promise<PgResult>
  release(destroy?: boolean): void
}

export interface PgResult {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: unknown[]
}

/**
 * Lends connections of a pool. Unlike Kysely's own driver it has statements prepared under a name, so that PostgreSQL
 * parses and plans each once a connection, and throws away a connection whose last answer never came.
 */
export class PostgresDriver implements Driver {
  readonly #open: () => Promise<PgPool>
  readonly #prepare: boolean
  #pool: PgPool | undefined

  constructor(open: () => Promise<PgPool>, prepare: boolean) {
    this.#open = open
    this.#prepare = prepare
  }

  async init(): Promise<void> {
    this.#pool = await this.#open()
  }

  async acquireConnection(): Promise<Connection> {
    if (!this.#pool) throw new Error("The database is closed: make a new adapter")
    try {
      return new Connection(await this.#pool.connect(), this.#prepare)
    } catch (cause) {
      const advice = "check the connection string, and that the server runs and has connections to spare"
      throw new Error(`PostgreSQL cannot be reached: ${advice}`, { cause })
    }
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.command("begin")
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const { command } = await connection.command("commit")
    // The answer to a commit after an error that the work swallowed.
    if (command === "ROLLBACK") throw new Error("The transaction was undone: a query in it had failed")
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.command("rollback")
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#pool?.end()
    this.#pool = undefined
  }
}

class Connection implements DatabaseConnection {
  readonly #client: PgClient
  readonly #prepare: boolean
  #broken = false

  constructor(client: PgClient, prepare: boolean) {
    this.#client = client
    this.#prepare = prepare
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const query = { text: sql, values: [...parameters] }
    const named = this.#prepare && parameters.length > 0
    const { rows, rowCount } = await this.#run(named ? { ...query, name: nameOf(sql) } : query)
    // The driver knows nothing of the row's type; the query that was compiled to this text does.
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query)
  }

  command(text: string): Promise<PgResult> {
    return this.#run({ text, values: [] })
  }

  release(): void {
    this.#client.release(this.#broken)
  }

  async #run(query: Parameters<PgClient["query"]>[0]): Promise<PgResult> {
    try {
      return await this.#client.query(query)
    } catch (error) {
      this.#broken ||= !leavesUsable(error)
      throw error
    }
  }
}

/** Classes of errors with which PostgreSQL ends the connection: shutdown, a lost connection, a transaction left idle. */
const ends = /^(?:08|57P|25P03)/

/** Only errors of the server have a severity. After any other error the connection may still be busy, or dead. */
function leavesUsable(error: unknown): boolean {
  return error instanceof Error && "severity" in error && !("code" in error && ends.test(String(error.code)))
}

const names = new Map<string, string>()

/** The same for the same text, whoever else prepares statements on the connection; at most 63 bytes. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `latchkey_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`
  names.set(text, name)
  return name
}
