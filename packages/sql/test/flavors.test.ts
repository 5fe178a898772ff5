import { MssqlAdapter, MysqlAdapter, PostgresAdapter, SqliteAdapter } from "kysely"
import * as newer from "kysely-0.29"
import { expect, test } from "vitest"
import { findFlavor } from "../src/flavors/find.js"

test.each([
  ["postgres", new PostgresAdapter(), new newer.PostgresAdapter()],
  ["mysql", new MysqlAdapter(), new newer.MysqlAdapter()],
  ["sqlite", new SqliteAdapter(), new newer.SqliteAdapter()],
])("a dialect of %s is recognized with Kysely 0.28 and 0.29", (name, older, latest) => {
  expect(findFlavor(older).name).toBe(name)
  expect(findFlavor(latest).name).toBe(name)
})

test("a dialect of another database is an error", () => {
  const message = "The dialect isn't supported. Pass a dialect of PostgreSQL, SQLite, MySQL or MariaDB."
  expect(() => findFlavor(new MssqlAdapter())).toThrow(message)
  expect(() => findFlavor(new newer.MssqlAdapter())).toThrow(message)
})
