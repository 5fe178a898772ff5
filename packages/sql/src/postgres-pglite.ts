import { CallbackTransaction } from "./callback-transaction.js"
import { rolledBack, type SqlClient, type SqlLibrary, type SqlResult } from "./pooled-driver.js"
import { parserOf, textOf } from "./postgres-values.js"

/** The part of a database of PGlite that this package uses. */
export interface PGliteDatabase extends PGliteQueries {
  transaction(work: (inside: PGliteQueries) => Promise<void>): Promise<unknown>
  close(): Promise<void>
}

export interface PGliteQueries {
  query(text: string, values: unknown[], options: PGliteOptions): Promise<PGliteResult>
}

export interface PGliteOptions {
  readonly parsers: Readonly<Record<number, (text: string) => unknown>>
  readonly serializers: Readonly<Record<number, (value: unknown) => string>>
}

export interface PGliteResult {
  readonly rows: unknown[]
  readonly affectedRows?: number
}

export function fromPGlite(database: PGliteDatabase): SqlLibrary {
  return {
    connect: async () => new Client(database),
    end: () => database.close(),
  }
}

/** PGlite has a single connection. It makes the queries of the application wait for a transaction, too. */
class Client implements SqlClient {
  readonly #database: PGliteDatabase
  #transaction: CallbackTransaction<PGliteQueries> | undefined
  #failed = false

  constructor(database: PGliteDatabase) {
    this.#database = database
  }

  async query(text: string, values: readonly unknown[]): Promise<SqlResult> {
    const queries = this.#transaction?.inside ?? this.#database
    try {
      const { rows, affectedRows = 0 } = await queries.query(text, values.map(textOf), options)
      return { rows, changed: affectedRows }
    } catch (error) {
      this.#failed = true
      throw withoutParameters(error)
    }
  }

  async begin(): Promise<void> {
    this.#transaction = await CallbackTransaction.begin((work) => this.#database.transaction(work))
  }

  async commit(): Promise<void> {
    // PostgreSQL would answer by rolling back, which PGlite doesn't report.
    if (this.#failed) throw rolledBack()
    await this.#transaction?.commit()
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback()
  }

  release(): void {
    this.#transaction = undefined
  }
}

/** Types that PGlite serializes by itself: boolean, numbers, text, JSON, dates and UUID. */
const serialized = [16, 20, 21, 23, 25, 26, 114, 700, 701, 1042, 1043, 1082, 1114, 1184, 1700, 2950, 3802]

const options: PGliteOptions = {
  parsers: Object.fromEntries(serialized.flatMap((type) => entry(type, parserOf(type)))),
  serializers: Object.fromEntries(serialized.map((type) => [type, String])),
}

function entry(
  type: number,
  parser: ((text: string) => unknown) | undefined,
): readonly (readonly [number, (text: string) => unknown])[] {
  return parser === undefined ? [] : [[type, parser]]
}

/** PGlite adds the parameters to its errors. They can be session tokens. */
function withoutParameters(error: unknown): unknown {
  if (error instanceof Error) Reflect.deleteProperty(error, "params")
  return error
}
