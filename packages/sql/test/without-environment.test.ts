import { d1 } from "@latchkey/sql/d1"
import { libsql } from "@latchkey/sql/libsql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { expect, test } from "vitest"

const postgresMessage = "The connection string of PostgreSQL is missing. Pass a connection string or a pool."
const mysqlMessage = "The connection string of MySQL is missing. Pass a connection string or a pool."
const libsqlMessage = "The URL of libSQL is missing. Pass a URL, the options of `createClient`, or a client."
const sqliteMessage = "The file name of SQLite is missing. Pass one, or `:memory:`."

/** What JavaScript passes for a variable that isn't set. */
const unset = undefined as unknown as string

test.each([
  ["postgres", "no connection string", () => postgres(""), postgresMessage],
  ["postgres", "an unset variable", () => postgres(unset), postgresMessage],
  ["postgres", "options without a connection string", () => postgres({}), postgresMessage],
  ["mysql", "no connection string", () => mysql(""), mysqlMessage],
  ["mysql", "an unset variable", () => mysql(unset), mysqlMessage],
  ["mysql", "options without a connection string", () => mysql({}), mysqlMessage],
  ["libsql", "no URL", () => libsql(""), libsqlMessage],
  ["libsql", "an unset variable", () => libsql(unset), libsqlMessage],
  ["libsql", "a configuration with an unset variable", () => libsql({ url: unset }), libsqlMessage],
  ["sqlite", "no file name", () => sqlite(""), sqliteMessage],
  ["sqlite", "an unset variable", () => sqlite(unset), sqliteMessage],
  [
    "d1",
    "no binding",
    () => d1(unset as never),
    "The D1 binding is missing. Add it to `d1_databases` in wrangler.toml",
  ],
])("%s with %s loads in a build, and the first use says what is missing", async (_name, _given, open, message) => {
  const adapter = open()
  for (const call of [() => adapter.getUser?.("1"), () => adapter.migrate()])
    await expect(call()).rejects.toThrow(message)
})
