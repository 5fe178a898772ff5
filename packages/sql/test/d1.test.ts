import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { allCapabilities } from "@latchkey/adapter-kit"
import { d1 } from "@latchkey/sql/d1"

import { Miniflare } from "miniflare"
import { rolldown } from "rolldown"
import { afterAll, describe, expect, test } from "vitest"
import { openBrowser } from "../../testing/src/browser/browser.js"
import { conforms } from "./conforms.js"

const packages = fileURLToPath(new URL("../..", import.meta.url))
const compatibilityDate = "2026-07-01"
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** A new database, which `workerd` runs. */
async function newD1() {
  const script = "export default { fetch: () => new Response() }"
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate, d1Databases: ["DB"] })
  closing.push(() => miniflare.dispose())
  return miniflare.getD1Database("DB")
}

const capabilities = allCapabilities.filter((capability) => capability !== "transaction")
conforms("D1", async () => d1(await newD1()), capabilities)

test("the adapter has no transaction", async () => {
  expect(d1(await newD1())).not.toHaveProperty("transaction")
})

test("several isolates can create the tables at once", async () => {
  const binding = await newD1()
  const adapters = Array.from({ length: 5 }, () => d1(binding))
  await Promise.all(adapters.map((adapter) => adapter.migrate()))
  const tables =
    "select count(*) as tables from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'"
  expect((await binding.prepare(tables).all()).results).toEqual([{ tables: 8 }])
})

test("a migration that fails leaves nothing behind", async () => {
  const binding = await newD1()
  await binding.exec("create table mine (id text)")
  await binding.exec("create index sessions_expires on mine (id)")
  await expect(d1(binding).migrate()).rejects.toThrow("sessions_expires already exists")
  const tables = "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'"
  expect((await binding.prepare(tables).all()).results).toEqual([{ name: "mine" }])
})

describe("in a worker", () => {
  test("a user signs in by email, and the session is in D1", async () => {
    const miniflare = new Miniflare({
      modules: true,
      script: await bundle(),
      compatibilityDate,
      d1Databases: ["DB"],
      bindings: { SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw" },
    })
    closing.push(() => miniflare.dispose())
    const handle = async (request: Request) => {
      const { method, headers, url } = request
      const body = method === "GET" ? undefined : await request.text()
      const response = await miniflare.dispatchFetch(url, {
        method,
        headers: [...headers],
        redirect: "manual",
        ...(body !== undefined && { body }),
      })
      return new Response(await response.text(), { status: response.status, headers: [...response.headers] })
    }
    const browser = openBrowser({ origin: "https://app.test", handle })
    await browser.get("/auth/signin")
    await browser.submitForm(0, { email: "ada@example.com" })
    const [link = ""] = (await (await handle(new Request("https://app.test/mails"))).json()) as string[]
    await browser.get(link)
    await browser.submitForm(0)
    expect(await (await miniflare.getD1Database("DB")).prepare("select user_id from sessions").all()).toMatchObject({
      results: [{ user_id: expect.any(String) }],
    })
    await browser.get("/auth/session")
    expect(JSON.parse(browser.text)).toMatchObject({ user: { email: "ada@example.com" } })
  })
})

/** Builds the worker from the sources, as a bundler for Cloudflare does. An import of a module of Node.js fails there. */
async function bundle(): Promise<string> {
  const core = join(packages, "core", "src")
  const sql = join(packages, "sql", "src")
  const build = await rolldown({
    input: join(packages, "sql", "test", "d1-worker.ts"),
    platform: "neutral",
    resolve: {
      mainFields: ["module", "main"],
      conditionNames: ["workerd", "import", "default"],
      alias: {
        "#crypto": join(core, "crypto", "web.ts"),
        "#languages": join(core, "i18n", "loaders", "none.ts"),
        "#passkey-library": join(core, "provider-kit", "passkey-library", "imported.ts"),
        "#seam": join(core, "module-kit", "seam", "imported.ts"),
        "#unknown-options": join(core, "config", "check", "unknown-options", "skip.ts"),
        "@latchkey/sql/d1": join(sql, "d1.ts"),
        "@latchkey/core/adapters": join(core, "adapters.ts"),
        "@latchkey/core/types": join(core, "types.ts"),
        "@latchkey/core": join(core, "index.ts"),
      },
    },
    external: ["@simplewebauthn/server"],
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  return output[0].code
}
