import { createHash } from "node:crypto"
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely"

/** The part of the `Pool` of `pg` that this package uses. */
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
 * Unlike the driver of Kysely, it uses named prepared statements, so PostgreSQL parses and plans each statement once per
 * connection. It also closes a connection after a query without a response.
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
    if (!this.#pool) throw new Error("The adapter is closed. Create a new one.")
    try {
      return new Connection(await this.#pool.connect(), this.#prepare)
    } catch (cause) {
      const advice = "Check the connection string, and that the server is running and accepts more connections."
      throw new Error(`Can't connect to PostgreSQL. ${advice}`, { cause })
    }
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.command("begin")
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const { command } = await connection.command("commit")
    // PostgreSQL rolls back at a commit if a query has failed, also if its error was caught.
    if (command === "ROLLBACK") throw new Error("The transaction was rolled back, because a query in it failed.")
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
    // Kysely knows the type of the rows; the driver only gets the SQL text.
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

/** Error codes after which PostgreSQL closes the connection: lost connection, shutdown, idle transaction. */
const closingCodes = /^(?:08|57P|25P03)/

/** Only errors of the server have a severity. After any other error, the connection may be busy or closed. */
function leavesUsable(error: unknown): boolean {
  return error instanceof Error && "severity" in error && !("code" in error && closingCodes.test(String(error.code)))
}

const names = new Map<string, string>()

/** A name that depends only on the text, so it doesn't clash with other statements. PostgreSQL allows 63 bytes. */
function nameOf(text: string): string {
  const cached = names.get(text)
  if (cached !== undefined) return cached
  const name = `latchkey_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`
  names.set(text, name)
  return name
}
