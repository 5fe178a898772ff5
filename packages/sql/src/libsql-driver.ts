import { cannotConnect, connectionLost, explainSocketError } from "./connection-lost.js"
import type { SqlClient, SqlLibrary, SqlResult } from "./pooled-driver.js"
import { retryWhileBusy } from "./retry-while-busy.js"
import { withSqliteCode } from "./sqlite-code.js"

/** The part of a client of `@libsql/client` that this package uses. */
export interface LibsqlClient extends LibsqlQueries {
  /** `"file"` for a file or a database in memory. */
  readonly protocol: string
  transaction(mode: "write" | "deferred"): Promise<LibsqlTransaction>
  close(): void
}

export interface LibsqlTransaction extends LibsqlQueries {
  executeMultiple(sql: string): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  close(): void
}

export interface LibsqlQueries {
  execute(statement: LibsqlStatement): Promise<LibsqlResult>
}

export interface LibsqlStatement {
  readonly sql: string
  args: LibsqlValue[]
}

export type LibsqlValue = string | number | bigint | ArrayBuffer | Uint8Array | null

export interface LibsqlResult {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly [index: number]: unknown }[]
  readonly rowsAffected: number
}

export function fromLibsql(client: LibsqlClient, timeoutMs: number): SqlLibrary {
  const writers = new Writers(client, timeoutMs)
  return {
    connect: async () => new Connection(client, writers, timeoutMs),
    end: async () => client.close(),
  }
}

/** Outside of a transaction, the client chooses a connection for each query. */
class Connection implements SqlClient {
  readonly #client: LibsqlClient
  readonly #writers: Writers
  readonly #timeoutMs: number
  #transaction: LibsqlTransaction | undefined

  constructor(client: LibsqlClient, writers: Writers, timeoutMs: number) {
    this.#client = client
    this.#writers = writers
    this.#timeoutMs = timeoutMs
  }

  async query(text: string, values: readonly unknown[]): Promise<SqlResult> {
    const statement = { sql: text, args: values.map(valueOf) }
    try {
      if (this.#transaction) return resultOf(await this.#transaction.execute(statement))
      if (isRemote(this.#client)) return resultOf(await this.#client.execute(statement))
      if (!/^\s*select\b/i.test(text)) return resultOf(await this.#writers.write(statement))
      return resultOf(await retryWhileBusy(this.#timeoutMs, () => this.#client.execute(statement)))
    } catch (error) {
      throw explain(error)
    }
  }

  async begin(): Promise<void> {
    try {
      this.#transaction = await this.#writers.begin()
    } catch (error) {
      throw explain(error)
    }
  }

  /** A failed commit isn't repeated: the library has rolled back. */
  async commit(): Promise<void> {
    try {
      await this.#transaction?.commit()
    } catch (error) {
      throw explain(error)
    }
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback()
  }

  release(): void {
    this.#transaction?.close()
    this.#transaction = undefined
  }
}

/**
 * Takes the write lock of a file before a statement needs it. `@libsql/client` 0.18 doesn't reset a statement that found the file
 * locked: a later write on that connection succeeds, but isn't committed. `executeMultiple` doesn't leave such a statement behind.
 */
class Writers {
  readonly #client: LibsqlClient
  readonly #timeoutMs: number

  constructor(client: LibsqlClient, timeoutMs: number) {
    this.#client = client
    this.#timeoutMs = timeoutMs
  }

  begin(): Promise<LibsqlTransaction> {
    if (isRemote(this.#client)) return this.#client.transaction("write")
    return retryWhileBusy(this.#timeoutMs, () => this.#lock())
  }

  async write(statement: LibsqlStatement): Promise<LibsqlResult> {
    const transaction = await this.begin()
    try {
      const result = await transaction.execute(statement)
      await transaction.commit()
      return result
    } finally {
      transaction.close()
    }
  }

  async #lock(): Promise<LibsqlTransaction> {
    const transaction = await this.#client.transaction("deferred")
    try {
      await transaction.executeMultiple("rollback; begin immediate")
      return transaction
    } catch (error) {
      transaction.close()
      throw error
    }
  }
}

/** A server queues writers by itself. */
function isRemote({ protocol }: LibsqlClient): boolean {
  return protocol !== "file"
}

function resultOf({ columns, rows, rowsAffected }: LibsqlResult): SqlResult {
  const named = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
  return { rows: named, changed: rowsAffected }
}

function valueOf(value: unknown): LibsqlValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  if (typeof value === "boolean") return Number(value)
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return value
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function explain(error: unknown): unknown {
  const socketError = causesOf(error).flatMap((cause) => explainSocketError("libSQL", cause) ?? [])[0]
  if (socketError) return socketError
  if (error instanceof TypeError && error.message.includes("fetch")) return connectionLost("libSQL", error)
  if (isRefused(error)) return cannotConnect("libSQL", error)
  return withSqliteCode(error)
}

/** Over HTTP, the error of the socket is a cause of a `TypeError` of `fetch`, which is a cause of an error of the library. */
function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** The server answered, but not with a result: a wrong token, or a database that doesn't exist. */
function isRefused(error: unknown): boolean {
  const code: unknown = Object(error).code
  return code === "SERVER_ERROR" || code === "URL_INVALID"
}
