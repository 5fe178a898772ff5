import { CallbackTransaction } from "./callback-transaction.js"
import { cannotConnect, connectionLost, explainSocketError } from "./connection-lost.js"
import { rolledBack, type SqlClient, type SqlLibrary, type SqlResult } from "./pooled-driver.js"
import { parserOf, textOf } from "./postgres-values.js"

/** The part of the `sql` function of postgres.js that this package uses. */
export interface PostgresJs extends PostgresJsQueries {
  begin(work: (inside: PostgresJsQueries) => Promise<void>): PromiseLike<unknown>
  end(options?: { readonly timeout?: number }): Promise<void>
  readonly options: {
    readonly parsers: Readonly<Record<number, PostgresJsParser>>
    readonly transform: {
      readonly column: { readonly from?: ((name: string) => string) | undefined }
      readonly row: { readonly from?: unknown }
    }
  }
}

export interface PostgresJsQueries {
  /** The type of the values depends on the application's own `types`. */
  unsafe(text: string, values: never[], options: { prepare: boolean }): { raw(): PromiseLike<PostgresJsResult> }
  typed(value: string | null, type: number): unknown
}

export interface PostgresJsResult extends ReadonlyArray<readonly (Uint8Array | null)[]> {
  /** `null` after a command that doesn't count rows. */
  readonly count: number | null
  /** Missing after a command without rows. */
  readonly columns?: readonly { readonly name: string; readonly type: number }[]
}

export interface PostgresJsParser {
  (text: string): unknown
  readonly array?: boolean
}

/** Values and column names are read as the server sends them, whatever `types` and `transform` the application configured. */
export function fromPostgresJs(sql: PostgresJs, prepare: boolean): SqlLibrary {
  if (sql.options.transform.row.from) {
    throw new Error("`postgres` can't read rows that `transform.row` of postgres.js changes. Pass an `sql` without it.")
  }
  const losses = new Losses()
  return {
    connect: async () => new Client(sql, prepare, losses),
    // Seconds. A query on a connection that was lost may never end, and `end()` would wait for it.
    end: () => sql.end({ timeout: 5 }),
  }
}

/** Outside of a transaction, postgres.js chooses a connection for each query. */
class Client implements SqlClient {
  readonly #sql: PostgresJs
  readonly #prepare: boolean
  readonly #losses: Losses
  #transaction: CallbackTransaction<PostgresJsQueries> | undefined
  #failure: unknown

  constructor(sql: PostgresJs, prepare: boolean, losses: Losses) {
    this.#sql = sql
    this.#prepare = prepare
    this.#losses = losses
  }

  async query(text: string, values: readonly unknown[]): Promise<SqlResult> {
    if (this.#losses.recent) await this.#losses.recent
    // A query after the connection was lost would write to a socket that is gone, which ends the process.
    const { ended } = this.#transaction ?? {}
    if (ended) throw explain(ended.cause)
    const queries = this.#transaction?.inside ?? this.#sql
    const parameters = values.map((value) => parameterOf(queries, textOf(value)))
    try {
      return this.#rowsOf(text, await queries.unsafe(text, parameters, { prepare: this.#prepare }).raw())
    } catch (error) {
      this.#failure = error
      throw await this.#losses.explain(error)
    }
  }

  async begin(): Promise<void> {
    if (this.#losses.recent) await this.#losses.recent
    try {
      this.#transaction = await CallbackTransaction.begin((work) => this.#sql.begin(work))
    } catch (error) {
      throw await this.#losses.explain(error)
    }
  }

  async commit(): Promise<void> {
    try {
      await this.#transaction?.commit()
    } catch (error) {
      // postgres.js rolls back after the error of a query, even if it was caught.
      throw error === this.#failure ? rolledBack() : await this.#losses.explain(error)
    }
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback()
  }

  release(): void {
    this.#transaction = undefined
  }

  #rowsOf(text: string, result: PostgresJsResult): SqlResult {
    const { parsers, transform } = this.#sql.options
    const columns = (result.columns ?? []).map(({ name, type }) => ({
      name: originalName(text, name, transform.column.from),
      parse: parserOf(type) ?? libraryParser(parsers[type]),
    }))
    const rows = result.map((values) =>
      Object.fromEntries(columns.map(({ name, parse }, at) => [name, readValue(values[at], parse)])),
    )
    return { rows, changed: result.count ?? 0 }
  }
}

/**
 * A server that stops closes all connections. If a connection of postgres.js 3.4 closes while a query waits to be written to
 * it, every later query on it hangs: https://github.com/LanternOps/breeze/issues/3225. So after a loss, queries wait until
 * the other connections have closed, too.
 */
class Losses {
  /** Settles when queries can continue. */
  recent: Promise<void> | undefined

  async explain(error: unknown): Promise<unknown> {
    const explained = explain(error)
    if (explained instanceof Error && explained.cause === error) {
      this.recent ??= new Promise((resolve) => setTimeout(resolve, closingMs))
      await this.recent
      this.recent = undefined
    }
    return explained
  }
}

const closingMs = 20

type Parse = (text: string) => unknown

function readValue(bytes: Uint8Array | null | undefined, parse: Parse): unknown {
  return bytes ? parse(decoder.decode(bytes)) : null
}

const decoder = new TextDecoder()

function libraryParser(parser: PostgresJsParser | undefined): Parse {
  if (parser === undefined) return (text) => text
  // Parsers of lists expect the text after the first brace.
  return parser.array === true ? (text) => parser(text.slice(1)) : parser
}

/** The type "unknown" lets the server determine the type, and makes postgres.js send the text as it is. */
const unknownType = 705

function parameterOf({ typed }: PostgresJsQueries, value: unknown): never {
  const parameter = value === null || typeof value === "string" ? typed(value, unknownType) : value
  // `textOf` leaves only lists and bytes, which every `sql` accepts.
  return parameter as never
}

/** Undoes `transform.column`, as in `postgres.camel`: the original name is a word of the statement, an alias if possible. */
function originalName(text: string, name: string, transform: ((name: string) => string) | undefined): string {
  if (!transform) return name
  const aliases = [...text.matchAll(/\bas "?(\w+)/gi)].map(([, alias = ""]) => alias)
  const words = text.match(/\w+/g) ?? []
  return [...aliases, ...words].find((word) => transform(word) === name) ?? name
}

const lostCodes = /^(?:CONNECTION_|08|57P|25P03)/
/** Refused at the start of a connection: wrong password, unknown database, too many connections. */
const refusedCodes = /^(?:CONNECT_TIMEOUT|28|3D000|53300)/

/** Errors of a connection get the given error as their cause. */
function explain(error: unknown): unknown {
  const code = error instanceof Error ? String(Reflect.get(error, "code")) : ""
  if (lostCodes.test(code)) return connectionLost("PostgreSQL", error)
  if (refusedCodes.test(code)) return cannotConnect("PostgreSQL", error)
  return explainSocketError("PostgreSQL", error) ?? withoutParameters(error)
}

const ofQuery: readonly string[] = ["query", "parameters", "args", "types", "stack"]

/** With its option `debug`, postgres.js adds the parameters to an error, which can be session tokens. They can't be deleted. */
function withoutParameters(error: unknown): unknown {
  if (!(error instanceof Error) || !Object.getOwnPropertyDescriptor(error, "parameters")?.enumerable) return error
  const fields = Object.entries(error).filter(([name]) => !ofQuery.includes(name))
  return Object.assign(new Error(error.message), Object.fromEntries(fields), { name: error.name })
}
