import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely"

/** A library for a database, as the driver uses it. Each library has a file that makes one. */
export interface SqlLibrary {
  /** Takes a connection from the pool. */
  connect(): Promise<SqlClient>
  end(): Promise<unknown>
}

/** One connection. It rejects with the errors of its library, or with `connectionLost`. */
export interface SqlClient {
  query(text: string, values: readonly unknown[]): Promise<SqlResult>
  begin(): Promise<unknown>
  /** Rejects if the database rolled back. */
  commit(): Promise<unknown>
  rollback(): Promise<unknown>
  /** Returns the connection to the pool, or closes it if it's broken. */
  release(): void
}

export interface SqlResult {
  readonly rows: unknown[]
  /** Number of rows that the query changed. */
  readonly changed: number
  readonly insertId?: bigint | undefined
}

export class PooledDriver implements Driver {
  readonly #open: () => Promise<SqlLibrary>
  #library: SqlLibrary | undefined

  constructor(open: () => Promise<SqlLibrary>) {
    this.#open = open
  }

  async init(): Promise<void> {
    this.#library = await this.#open()
  }

  async acquireConnection(): Promise<Connection> {
    if (!this.#library) throw new Error("The adapter is closed. Create a new one.")
    return new Connection(await this.#library.connect())
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.client.begin()
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.client.commit()
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    // The caller gets the error that led here. A client whose rollback fails closes its connection, which rolls back too.
    await connection.client.rollback().catch(() => undefined)
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.client.release()
  }

  async destroy(): Promise<void> {
    await this.#library?.end()
    this.#library = undefined
  }
}

class Connection implements DatabaseConnection {
  readonly client: SqlClient

  constructor(client: SqlClient) {
    this.client = client
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changed, insertId } = await this.client.query(sql, parameters)
    const ids = insertId === undefined ? {} : { insertId }
    // Kysely knows the type of the rows; the driver only gets the SQL text.
    return { rows: rows as Row[], numAffectedRows: BigInt(changed), ...ids }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query)
  }
}

/** For a transaction whose caller caught the error of a query. */
export function rolledBack(): Error {
  return new Error("The transaction was rolled back, because a query in it failed.")
}
