import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { allCapabilities, testConnectionLoss } from "@latchkey/adapter-kit"
import { breakableProxy } from "@latchkey/adapter-kit/proxy"
import type { SqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { createPool as createCallbackPool } from "mysql2"
import { createConnection, createPool } from "mysql2/promise"
import pg from "pg"
import postgresJs from "postgres"
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest"
import { newDatabase, newMysqlDatabase, onServer } from "./databases.js"
import { neonPool } from "./neon.js"

type Open = (url: string, finished: (stop: () => void) => void) => SqlAdapter | Promise<SqlAdapter>

/** With a single connection, a call would wait forever if an earlier one hadn't returned it. */
const postgresLibraries: readonly [name: string, open: Open][] = [
  ["a connection string", (url) => postgres(url)],
  [
    "a pool of pg",
    (connectionString) => {
      const pool = new pg.Pool({ connectionString, max: 1 })
      pool.on("error", () => {})
      return postgres({ pool })
    },
  ],
  ["postgres.js", (url) => postgres({ pool: postgresJs(url, { max: 1, onnotice: () => {}, backoff: false }) })],
  ["several connections of postgres.js", (url) => postgres({ pool: postgresJs(url, { onnotice: () => {} }) })],
  ["the Neon driver", async (url, finished) => postgres({ pool: await neonPool(url, finished) })],
]

const mysqlLibraries: readonly [name: string, open: Open][] = [
  ["a connection string", (url) => mysql(url)],
  ["a pool of mysql2", (uri) => mysql({ pool: createCallbackPool({ uri, connectionLimit: 1 }) })],
  ["a pool of mysql2/promise", (uri) => mysql({ pool: createPool({ uri, connectionLimit: 1 }) })],
]

function survivesBreaks(library: string, server: string | undefined, newUrl: () => Promise<string>, open: Open): void {
  describe.skipIf(server === undefined)(`with ${library}`, async () => {
    const proxy = await breakableProxy({ host: "127.0.0.1", port: Number(new URL(server ?? "tcp://localhost:1").port) })
    const closing: (() => Promise<void> | void)[] = []
    const create = async () => {
      const url = new URL(await newUrl())
      url.host = `${proxy.host}:${proxy.port}`
      const adapter = await open(url.href, (stop) => closing.push(stop))
      closing.unshift(() => adapter.close())
      return adapter
    }
    const { breakConnection } = proxy
    const options = { create, breakConnection, capabilities: allCapabilities, webauthn: true }
    testConnectionLoss({ name: "when the connection breaks", ...options }, { describe, test })
    afterAll(async () => {
      for (const close of [...closing, proxy.close]) await close()
    })
  })
}

const user = { id: "1", email: "ada@example.com", emailVerified: null }
const lost = /^The connection to \w+(?: \w+)? was lost before the query was confirmed\. A change may have been stored\./

/** @param kill ends all connections to the database from the outside */
async function loseTransaction(adapter: SqlAdapter, kill: () => Promise<void>): Promise<void> {
  onTestFinished(() => adapter.close())
  await adapter.migrate()
  const work = adapter.transaction(async (inside) => {
    await inside.createUser?.(user)
    await kill()
    await inside.createUser?.({ ...user, id: "2", email: "2@x.test" })
  })
  await expect(work).rejects.toThrow(lost)
  expect([await adapter.getUser("1"), await adapter.getUser("2")]).toEqual([null, null])
  await adapter.transaction(async (inside) => inside.createUser?.(user))
  expect(await adapter.getUser("1")).toMatchObject(user)
}

describe("on PostgreSQL", () => {
  const server = inject("postgres")
  for (const [at, [name, open]] of postgresLibraries.entries()) {
    survivesBreaks(name, server, () => newDatabase(`connection_loss_${at}`), open)
  }

  test.skipIf(server === undefined).each(postgresLibraries)(
    "a transaction with %s that the server ends is rolled back, and the next one works",
    async (name, open) => {
      const database = `killed_${name.replaceAll(/\W/g, "_").toLowerCase()}`
      const adapter = await open(await newDatabase(database), onTestFinished)
      await loseTransaction(adapter, async () => {
        await onServer(`select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${database}'`)
      })
    },
  )
})

describe("on MariaDB", () => {
  const server = inject("mariadb")
  for (const [at, [name, open]] of mysqlLibraries.entries()) {
    survivesBreaks(name, server, () => newMysqlDatabase(`connection_loss_${at}`), open)
  }

  test.skipIf(server === undefined).each(mysqlLibraries)(
    "a transaction with %s that the server ends is rolled back, and the next one works",
    async (name, open) => {
      const database = `killed_${name.replaceAll(/\W/g, "_")}`
      const url = await newMysqlDatabase(database)
      await loseTransaction(await open(url, onTestFinished), () => killAll(url, database))
    },
  )

  test.skipIf(server === undefined)(
    "while the server doesn't answer, all calls fail at once, not ten after each timeout",
    async () => {
      const url = new URL(await newMysqlDatabase("silent"))
      const { hostname, port } = url
      let isSilent = false
      const clients: Socket[] = []
      const gate = createServer((client) => {
        clients.push(client)
        if (isSilent) return
        const database = connect(Number(port), hostname)
        client.on("close", () => database.destroy())
        client.pipe(database).pipe(client)
      })
      gate.listen(0, "127.0.0.1")
      await once(gate, "listening")
      onTestFinished(() => void gate.close())
      url.host = `127.0.0.1:${Object(gate.address()).port}`
      const adapter = mysql({ connectionString: url.href, connectionTimeoutMillis: 500 })
      onTestFinished(() => adapter.close())
      // Afterwards, each call is a query of its own.
      expect(await adapter.getUser("1")).toBeNull()
      isSilent = true
      for (const client of clients.splice(0)) client.destroy()
      await expect(adapter.getUser("1")).rejects.toThrow()
      clients.length = 0
      const calls = await Promise.allSettled(Array.from({ length: 60 }, async () => adapter.getUser("1")))
      const messages = calls.map((call) => call.status === "rejected" && String(Object(call.reason).message))
      expect(new Set(messages)).toEqual(
        new Set([expect.stringMatching(/^Can't connect to the database\. Check the connection string/)]),
      )
      // One after the other, they would have opened a connection each.
      expect(clients.length).toBeLessThan(60)
    },
  )

  test.skipIf(server === undefined)("a connection that comes too late for its call is there for others", async () => {
    const connectionString = await newMysqlDatabase("late_connections")
    const adapter = mysql({ connectionString, connectionTimeoutMillis: 300 })
    onTestFinished(() => adapter.close())
    await adapter.migrate()
    let end: (() => void) | undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    // All connections of the pool.
    const busy = Array.from({ length: 10 }, () => adapter.transaction(() => ended))
    const late = await Promise.allSettled(Array.from({ length: 20 }, async () => adapter.getUser("1")))
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set(["rejected"]))
    end?.()
    await Promise.all(busy)
    await adapter.createUser(user)
    expect(await adapter.getUser("1")).toMatchObject(user)
  })
})

/** Returns when the server has ended the connections. */
async function killAll(uri: string, database: string): Promise<void> {
  const own = new URL(uri)
  own.pathname = "/mysql"
  const connection = await createConnection({ uri: own.href })
  const query = "select id from information_schema.processlist where db = ?"
  const ids = async () => Object(await connection.query(query, [database]))[0].map(({ id }: { id: number }) => id)
  for (const id of await ids()) await connection.query(`kill ${id}`)
  await expect.poll(ids).toEqual([])
  await connection.end()
}
