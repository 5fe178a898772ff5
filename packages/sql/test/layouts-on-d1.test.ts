import { allCapabilities } from "@latchkey/adapter-kit"
import { d1 } from "@latchkey/sql/d1"
import { Miniflare } from "miniflare"
import { afterAll, expect, test } from "vitest"
import { conforms } from "./conforms.js"
import { drizzleTables } from "./layout-tables.js"

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** A new database with the tables of `@auth/drizzle-adapter`. */
async function withTables() {
  const script = "export default { fetch: () => new Response() }"
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate: "2026-07-01", d1Databases: ["DB"] })
  closing.push(() => miniflare.dispose())
  const binding = await miniflare.getD1Database("DB")
  for (const statement of drizzleTables("").split(";").slice(0, -1)) await binding.prepare(statement).run()
  return binding
}

const capabilities = allCapabilities.filter((capability) => capability !== "transaction")
const create = async () => {
  const adapter = d1(await withTables())
  await adapter.migrate()
  return adapter
}
conforms("D1 with the tables of a published adapter and what the plan adds", create, capabilities)

test("in D1, the tables of a published adapter are used as they are, and a check reads the catalog", async () => {
  const binding = await withTables()
  const adapter = d1(binding)
  const tables = "select name from sqlite_master where type = 'table' order by name"
  const before = (await binding.prepare(tables).all()).results
  await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null })
  expect((await binding.prepare('select email from "user"').all()).results).toEqual([{ email: "ada@example.com" }])
  expect((await binding.prepare(tables).all()).results).toEqual(before)
  expect((await adapter.check()).map(({ level }) => level)).toEqual(expect.arrayContaining(["warning"]))
  await adapter.migrate()
  expect(await adapter.plan()).toEqual([])
  expect(await adapter.check()).toEqual([])
})
