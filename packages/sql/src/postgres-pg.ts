import { cannotConnect, connectionLost } from "./connection-lost.js"
import { rolledBack, type SqlClient, type SqlLibrary, type SqlResult } from "./pooled-driver.js"
import { parserOf, textOf } from "./postgres-values.js"

/** The part of the `Pool` of `pg` and `@neondatabase/serverless` that this package uses. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
}

export interface PgClient {
  query(query: PgQuery): Promise<PgResult>
  release(destroy?: boolean): void
  on?(event: "error", listener: () => void): unknown
  removeListener?(event: "error", listener: () => void): unknown
  /** Returns the parser that the application configured for a type. */
  getTypeParser?(type: number, format?: string): unknown
}

export interface PgQuery {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  readonly types: { getTypeParser(type: number, format?: string): (text: string) => unknown }
}

export interface PgResult {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: unknown[]
}

/** With `prepare`, PostgreSQL parses and plans each statement once per connection. */
export function fromPg(pool: PgPool, prepare: boolean): SqlLibrary {
  return {
    connect: async () => new Client(await connect(pool), prepare),
    end: () => pool.end(),
  }
}

async function connect(pool: PgPool): Promise<PgClient> {
  let client: PgClient | undefined
  try {
    client = await pool.connect()
  } catch (cause) {
    throw cannotConnect("PostgreSQL", cause)
  }
  if (typeof client?.release === "function") return client
  throw new Error("The `pool` is a single connection. Pass a `Pool` instead of a `Client`.")
}

class Client implements SqlClient {
  readonly #client: PgClient
  readonly #prepare: boolean
  readonly #types: PgQuery["types"]
  #broken = false
  readonly #onError = (): void => {
    this.#broken = true
  }

  constructor(client: PgClient, prepare: boolean) {
    this.#client = client
    // Without a listener, a connection that ends between two queries of a transaction would end the process.
    client.on?.("error", this.#onError)
    this.#prepare = prepare
    this.#types = {
      getTypeParser: (type, format) =>
        // A binary value needs the parser of the library. By default, `pg` asks for text.
        (format === "binary" ? undefined : parserOf(type)) ?? parserOfClient(client, type, format),
    }
  }

  async query(text: string, values: readonly unknown[]): Promise<SqlResult> {
    const named = this.#prepare && values.length > 0
    const query = { text, values: values.map(textOf), types: this.#types }
    const { rows, rowCount } = await this.#run(named ? { ...query, name: nameOf(text) } : query)
    return { rows, changed: rowCount ?? 0 }
  }

  begin(): Promise<PgResult> {
    return this.#command("begin")
  }

  async commit(): Promise<void> {
    // After an error, PostgreSQL answers a commit by rolling back.
    const { command } = await this.#command("commit")
    if (command === "ROLLBACK") throw rolledBack()
  }

  rollback(): Promise<PgResult> {
    return this.#command("rollback")
  }

  release(): void {
    this.#client.release(this.#broken)
    this.#client.removeListener?.("error", this.#onError)
  }

  #command(text: string): Promise<PgResult> {
    return this.#run({ text, values: [], types: this.#types })
  }

  async #run(query: PgQuery): Promise<PgResult> {
    try {
      return await this.#client.query(query)
    } catch (error) {
      if (leavesUsable(error)) throw error
      this.#broken = true
      throw isTimeout(error) ? error : connectionLost("PostgreSQL", error)
    }
  }
}

function parserOfClient(client: PgClient, type: number, format?: string): (text: string) => unknown {
  const parser = client.getTypeParser?.(type, format)
  return typeof parser === "function" ? (text) => Reflect.apply(parser, undefined, [text]) : (text) => text
}

/** Error codes after which PostgreSQL closes the connection: lost connection, shutdown, idle transaction. */
const closingCodes = /^(?:08|57P|25P03)/

/** Only errors of the server have a severity. After any other error, the connection may be busy or closed. */
function leavesUsable(error: unknown): boolean {
  return error instanceof Error && "severity" in error && !("code" in error && closingCodes.test(String(error.code)))
}

/** The message of `pg` says that the query took too long. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes("timeout")
}

const names = new Map<string, string>()

/** A name that depends only on the text, so it doesn't clash with other statements. PostgreSQL allows 63 bytes. */
function nameOf(text: string): string {
  const cached = names.get(text)
  if (cached !== undefined) return cached
  const name = `latchkey_${hashOf(text).toString(36)}`
  names.set(text, name)
  return name
}

/** FNV-1a with 128 bits. Edge runtimes have no synchronous SHA-256. */
function hashOf(text: string): bigint {
  let hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58dn
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(128, (hash ^ BigInt(text.charCodeAt(at))) * 0x100_0000_0000_0000_0000_013bn)
  }
  return hash
}
