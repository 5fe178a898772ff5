import { openAdapter, type SqlAdapter } from "./adapter.js"
import { bound, type D1Binding, D1Driver } from "./d1-driver.js"
import { type BatchDialect, sqliteDialect } from "./dialect.js"
import { assertSqlOptions, type SqlAdapterOptions } from "./options.js"
import { withSqliteCode } from "./sqlite-code.js"

export type { D1Binding, D1Result, D1Statement } from "./d1-driver.js"

/** An adapter without `transaction`, because D1 has no interactive transactions. */
export type D1Adapter = Omit<SqlAdapter, "transaction">

/**
 * Creates an adapter for Cloudflare D1. At the first use, it creates its tables. Create one adapter for each isolate, not for
 * each request, so that it looks for migrations only once.
 *
 * Without transactions, a sign-up that fails halfway is undone step by step.
 *
 * @throws TypeError if there is no such option
 * @throws Error on first use, if the binding is missing
 * @example
 * ```ts
 * import { d1, type D1Binding } from "@latchkey/sql/d1"
 * export const createAdapter = (env: { DB: D1Binding }) => d1(env.DB)
 * ```
 */
export function d1(binding: D1Binding, options: SqlAdapterOptions = {}): D1Adapter {
  assertSqlOptions("d1", options, {})
  const dialect: BatchDialect = {
    ...sqliteDialect(() => new D1Driver(() => present(binding))),
    runBatch: async (statements) => {
      const database = present(binding)
      try {
        await database.batch(statements.map((each) => bound(database, each)))
      } catch (error) {
        throw withSqliteCode(error)
      }
    },
  }
  const { transaction: _transaction, ...adapter } = openAdapter(dialect, options)
  return adapter
}

/** Not checked earlier, because frameworks load the adapter for a build, which has no bindings. */
function present(binding: D1Binding): D1Binding {
  if (typeof binding?.prepare === "function" && typeof binding.batch === "function") return binding
  throw new Error(
    "The D1 binding is missing. Add it to `d1_databases` in wrangler.toml, and pass it, such as `env.DB`.",
  )
}
