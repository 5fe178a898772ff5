import { cannotConnect, connectionLost, explainSocketError } from "./connection-lost.js"
import type { SqlClient, SqlLibrary, SqlResult } from "./pooled-driver.js"

/** The part of a pool of `mysql2/promise` that this package uses. */
export interface MysqlPool {
  getConnection(): Promise<MysqlConnection>
  end(): Promise<void>
}

export interface MysqlConnection {
  execute(query: MysqlQuery): Promise<unknown[]>
  query(query: MysqlQuery): Promise<unknown[]>
  release(): void
  destroy(): void
}

/** Options of a query replace those of the application's pool. */
export interface MysqlQuery {
  readonly sql: string
  values: (string | number | bigint | boolean | Uint8Array | null)[]
  readonly timeout?: number
  readonly namedPlaceholders: false
  readonly nestTables: false
  readonly rowsAsArray: false
  readonly dateStrings: true
  readonly supportBigNumbers: true
  readonly typeCast: (field: unknown, next: () => unknown) => unknown
}

interface MysqlTimeouts {
  readonly connectionTimeoutMillis: number
  readonly queryTimeoutMillis: number
}

/** @param timeouts those of the pool if they're missing */
export function fromMysql(pool: MysqlPool, timeouts?: MysqlTimeouts): SqlLibrary {
  return {
    connect: async () =>
      new Client(await connect(pool, timeouts?.connectionTimeoutMillis), timeouts?.queryTimeoutMillis),
    end: () => pool.end(),
  }
}

async function connect(pool: MysqlPool, timeoutMs = 0): Promise<MysqlConnection> {
  try {
    return await (timeoutMs > 0 ? inTime(pool, timeoutMs) : pool.getConnection())
  } catch (cause) {
    throw cannotConnect("the database", cause)
  }
}

/**
 * The pool lets calls wait for a connection as long as they have to. While the server doesn't answer, they would fail one after the
 * other, each after another timeout.
 */
function inTime(pool: MysqlPool, timeoutMs: number): Promise<MysqlConnection> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error(`The pool had no connection for ${timeoutMs} ms.`))
    }, timeoutMs)
    const settle = (result: () => void) => {
      clearTimeout(timer)
      result()
    }
    pool.getConnection().then(
      (connection) => settle(() => (isLate ? connection.release() : resolve(connection))),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}

class Client implements SqlClient {
  readonly #connection: MysqlConnection
  readonly #timeoutMs: number | undefined
  #broken = false

  constructor(connection: MysqlConnection, timeoutMs: number | undefined) {
    this.#connection = connection
    this.#timeoutMs = timeoutMs
  }

  async query(text: string, values: readonly unknown[]): Promise<SqlResult> {
    const query = { ...this.#optionsOf(text), values: values.map(parameterOf) }
    const run = () => (values.length > 0 ? this.#connection.execute(query) : this.#connection.query(query))
    const [result] = await this.#run(run)
    if (Array.isArray(result)) return { rows: result, changed: 0 }
    const { affectedRows, insertId } = Object(result)
    const id = Number(insertId) > 0 ? BigInt(insertId) : undefined
    return { rows: [], changed: Number(affectedRows ?? 0), insertId: id }
  }

  /**
   * As PostgreSQL does: a read sees what others committed in the meantime, such as the user of a parallel sign-in. And InnoDB locks no
   * gaps between rows, which inserts of others would wait for.
   */
  async begin(): Promise<void> {
    await this.#command("set transaction isolation level read committed")
    await this.#command("start transaction")
  }

  commit(): Promise<unknown> {
    return this.#command("commit")
  }

  rollback(): Promise<unknown> {
    return this.#command("rollback")
  }

  release(): void {
    if (this.#broken) this.#connection.destroy()
    else this.#connection.release()
  }

  #command(text: string): Promise<unknown> {
    return this.#run(() => this.#connection.query(this.#optionsOf(text)))
  }

  #optionsOf(sql: string): MysqlQuery {
    return { ...queryOptions, sql, values: [], ...(this.#timeoutMs !== undefined && { timeout: this.#timeoutMs }) }
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (leavesUsable(error)) throw error
      this.#broken = true
      throw explain(error)
    }
  }
}

const queryOptions: Omit<MysqlQuery, "sql" | "values"> = {
  namedPlaceholders: false,
  nestTables: false,
  rowsAsArray: false,
  dateStrings: true,
  supportBigNumbers: true,
  typeCast: (_field, next) => next(),
}

function parameterOf(value: unknown): MysqlQuery["values"][number] {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return value
    case "undefined":
      return null
    default:
      return value === null || value instanceof Uint8Array ? value : JSON.stringify(value)
  }
}

/** The server ended the connection: KILL, shutdown, idle for too long. */
const closingCodes = new Set(["ER_CONNECTION_KILLED", "ER_SERVER_SHUTDOWN", "ER_NORMAL_SHUTDOWN"])

/** Errors of the server have a number and a state. After any other error, the connection may be busy or closed. */
function leavesUsable(error: unknown): boolean {
  const { sqlState, fatal }: { sqlState?: unknown; fatal?: unknown } = Object(error)
  return typeof sqlState === "string" && sqlState !== "" && fatal !== true && !closingCodes.has(codeOf(error))
}

function explain(error: unknown): unknown {
  if (codeOf(error) === "PROTOCOL_SEQUENCE_TIMEOUT") return error
  return explainSocketError("the database", error) ?? connectionLost("the database", error)
}

function codeOf(error: unknown): string {
  return error instanceof Error ? String(Reflect.get(error, "code")) : ""
}
