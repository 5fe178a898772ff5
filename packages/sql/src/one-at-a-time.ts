import type { DatabaseConnection, Dialect, Driver, TransactionSettings } from "kysely"

/**
 * A dialect of Kysely 0.29 leaves it to Kysely to use a single connection for one caller at a time. The Kysely of this package
 * is older, because 0.29 doesn't support Node 20. It expects that of the dialect.
 */
export function withQueue(dialect: Dialect): Dialect {
  const adapter = dialect.createAdapter()
  if (Reflect.get(adapter, "supportsMultipleConnections") !== false) return dialect
  return {
    createAdapter: () => adapter,
    createDriver: () => new QueueingDriver(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
}

class QueueingDriver implements Driver {
  readonly #driver: Driver
  readonly #waiting: (() => void)[] = []
  #inUse = false

  constructor(driver: Driver) {
    this.#driver = driver
  }

  init(): Promise<void> {
    return this.#driver.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#inUse) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#inUse = true
    try {
      return await this.#driver.acquireConnection()
    } catch (error) {
      this.#next()
      throw error
    }
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.#driver.beginTransaction(connection, settings)
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.commitTransaction(connection)
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.rollbackTransaction(connection)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.releaseConnection(connection)
    } finally {
      this.#next()
    }
  }

  destroy(): Promise<void> {
    return this.#driver.destroy()
  }

  /** The connection stays in use when the next caller gets it, so that no other caller can take it. */
  #next(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#inUse = false
  }
}
