import { audit, type AuditEntry, type AuditServer } from "@latchkey/audit"
import { sql } from "@latchkey/audit/sql"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import type { SqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { captureLog, frozenClock, visit } from "@latchkey/testing"
import { afterEach, describe, expect, inject, test } from "vitest"
import { newDatabase, newMysqlDatabase } from "../../packages/sql/test/databases.js"

const databases = [
  { database: "SQLite", isThere: true, open: async () => sqlite(":memory:") },
  {
    database: "PostgreSQL",
    isThere: inject("postgres") !== undefined,
    open: async () => postgres(await newDatabase("audit_log")),
  },
  {
    database: "MariaDB",
    isThere: inject("mariadb") !== undefined,
    open: async () => mysql(await newMysqlDatabase("audit_log")),
  },
]
const available = databases.filter(({ isThere }) => isThere)

const opened: SqlAdapter[] = []
afterEach(async () => {
  for (const adapter of opened.splice(0)) await adapter.close()
})

describe.each(available)("an audit log in $database", ({ open }) => {
  /** Users sign in with their name, which is their id too. */
  async function started() {
    const adapter = await open()
    opened.push(adapter)
    const [clock, captured] = [frozenClock(Date.parse("2030-01-01T00:00:00Z")), captureLog()]
    const log = sql(adapter)
    const byName = credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })
    const config: AuthConfig = {
      secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
      url: "https://app.test/auth",
      providers: [byName],
      rateLimit: false,
      logger: captured.logger,
      runtime: clock.runtime,
      modules: [audit({ sinks: [log] })],
    }
    const signIn = async (name: string, userAgent = "Firefox") => {
      const browser = await visit(config, { clock, headers: { "user-agent": userAgent } })
      await browser.signIn("credentials", { name })
      clock.advance({ minutes: 1 })
    }
    return { log, config, clock, captured, signIn, server: createServer(config) }
  }

  test("has each sign-in, newest first, page by page, for a user and a time", async () => {
    const { log, signIn } = await started()
    for (let count = 0; count < 5; count++) for (const name of ["ada", "grace"]) await signIn(name)
    const pages: AuditEntry[][] = []
    let after: string | undefined
    do {
      const page = await log.query({ userId: "ada", limit: 2, after })
      pages.push([...page.entries])
      after = page.next
    } while (after !== undefined)
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    const times = pages.flat().map(({ at }) => at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(pages.flat()[0]).toMatchObject({ v: 1, name: "sign-in", actor: { kind: "user", id: "ada" } })
    const [from, to] = [new Date("2030-01-01T00:02:00Z"), new Date("2030-01-01T00:04:00Z")]
    expect((await log.query({ from, to })).entries.map(({ at }) => at.slice(11, 16))).toEqual(["00:03", "00:02"])
    expect((await log.query({ name: "sign-out" })).entries).toEqual([])
  })

  test("isn't SQL, whatever a visitor sends", async () => {
    const { log, signIn } = await started()
    const evil = `'); drop table latchkey_audit; -- " \\ ? $1 :x`
    await signIn(evil, evil)
    await signIn("grace")
    const { entries } = await log.query({ userId: evil })
    expect(entries).toHaveLength(1)
    expect(entries[0]?.request?.userAgent).toBe(evil)
    expect((await log.query({ userId: `${evil}' or 1=1 --` })).entries).toEqual([])
    expect((await log.query({ after: "' or 1=1 --" })).entries).toEqual([])
  })

  test("is exported with the user, and loses what is too old", async () => {
    const { log, server, signIn } = await started()
    for (const name of ["ada", "ada", "grace"]) await signIn(name)
    expect(await server.export("ada")).toMatchObject({ modules: { audit: [{ name: "sign-in" }, { name: "sign-in" }] } })
    expect(await log.purge(new Date("2030-01-01T00:02:00Z"))).toBe(2)
    expect((await log.query()).entries.map(({ subject }) => subject)).toEqual([{ kind: "user", id: "grace" }])
  })

  test("a page has from 1 to 500 entries", async () => {
    const { log } = await started()
    for (const limit of [0, 501, 1.5, Number.NaN]) await expect(log.query({ limit })).rejects.toThrow(RangeError)
  })

  test("that is sent twice is there once", async () => {
    const { log, signIn } = await started()
    await signIn("ada")
    const { entries } = await log.query()
    await log.write([...entries, ...entries])
    expect((await log.query()).entries).toEqual(entries)
  })
})

describe.each(available)("while $database is down", ({ open }) => {
  test("users sign in, and the log says once what is the matter", async () => {
    const [adapter, captured] = [await open(), captureLog()]
    const log = sql(adapter)
    await log.query()
    await adapter.close()
    const config: AuthConfig = {
      secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
      url: "https://app.test/auth",
      providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
      logger: captured.logger,
      modules: [audit({ sinks: [log] })],
    }
    for (let count = 0; count < 3; count++) {
      const browser = await visit(config)
      await browser.signIn("credentials", { name: "ada" })
      expect(await browser.session()).not.toBeNull()
    }
    expect(captured.entries.filter((entry) => JSON.stringify(entry).includes("audit log"))).toHaveLength(1)
    const { flush } = createServer(config).members["audit"] as unknown as AuditServer
    expect(await flush()).toEqual({ waiting: 3, lost: 0 })
  })
})
