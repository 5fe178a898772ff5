import { codeOf } from "./failures.js"
import { rolledBack } from "./pooled-driver.js"

/**
 * Runs the work again if it failed because of another transaction. The database has undone the work by then. CockroachDB,
 * YugabyteDB, Citus and serializable transactions of PostgreSQL rely on that, and deadlocks happen everywhere.
 *
 * @throws the error of the last attempt, as a cause
 */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + longestMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === mostAttempts || performance.now() > deadline) {
        const problem = `Other transactions locked or changed the same rows at each of ${attempt} attempts.`
        throw new Error(`${problem} Try again later.`, { cause: error })
      }
    }
    await pause(attempt)
  }
}

const mostAttempts = 12
/** MySQL waits for a lock for 50 seconds by default, so a few attempts can be too many. */
const longestMs = 10_000
const longestPauseMs = 500

/** The chance makes it unlikely that the same transactions meet again. */
function pause(attempt: number): Promise<void> {
  const limit = Math.min(longestPauseMs, 2 ** attempt)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * limit))
}

/**
 * Serialization failures and deadlocks of PostgreSQL and databases with its protocol, the same and lock timeouts of MySQL, and a
 * transaction of SQLite that read before another connection wrote.
 */
const conflicts = /^(?:40001|40P01|ER_LOCK_DEADLOCK|ER_LOCK_WAIT_TIMEOUT|ER_CHECKREAD|SQLITE_BUSY_SNAPSHOT)$/

/** The engine wraps errors in a transaction, as a cause or as the `err` of one. */
function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  return conflicts.test(String(codeOf(error))) || isConflict(cause) || isConflict(Object(cause).err)
}

/**
 * Runs the statements of a transaction. A conflict in one of them ends the transaction, even if the caller handles the error: the
 * database has undone what came before. MySQL would run the next statement outside of the transaction, and store it.
 */
export class TransactionAttempt {
  #conflict: Error | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** Runs statements one after the other, so that none is on its way when an earlier one fails. */
  execute<Result>(statement: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#execute(statement))
    this.#last = result.catch(() => undefined)
    return result
  }

  async #execute<Result>(statement: () => Promise<Result>): Promise<Result> {
    if (this.#conflict) throw rolledBack()
    try {
      return await statement()
    } catch (error) {
      if (error instanceof Error && isConflict(error)) this.#conflict = error
      throw error
    }
  }

  /** @throws the conflict, whatever error the work made of it */
  async complete<Result>(work: Promise<Result>): Promise<Result> {
    const [outcome] = await Promise.allSettled([work])
    if (this.#conflict) throw this.#conflict
    if (outcome.status === "rejected") throw outcome.reason
    return outcome.value
  }
}
