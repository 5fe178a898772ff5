import { codeOf } from "./failures.js"

/** Repeats the work while another connection locks the database. It doesn't block the event loop, unlike the wait of SQLite. */
export async function retryWhileBusy<Result>(timeoutMs: number, work: () => Result | Promise<Result>): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > deadline) {
        throw new Error(`Another connection has locked the database for ${timeoutMs} ms. Try again.`, { cause: error })
      }
    }
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
  }
}

const retryDelayMs = 5

/** `SQLITE_BUSY` and its extended codes (https://www.sqlite.org/rescode.html#busy), or all connections of libSQL. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /^(?:SQLITE_BUSY|TRANSACTION_ACTIVE$)/.test(String(codeOf(error)))
}
