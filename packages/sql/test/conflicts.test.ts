import passkey from "@latchkey/core/providers/passkey"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql"
import { mysql, type MysqlConnection, type MysqlPool } from "@latchkey/sql/mysql"
import { type PgClient, type PgPool, postgres } from "@latchkey/sql/postgres"
import { createAuthenticator, createProvider, visit } from "@latchkey/testing"
import { MysqlDialect } from "kysely"
import { createPool as createCallbackPool } from "mysql2"
import { type Connection, createConnection, createPool } from "mysql2/promise"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { newDatabase, newMysqlDatabase } from "./databases.js"

function closing(adapter: SqlAdapter): SqlAdapter {
  onTestFinished(() => adapter.close())
  return adapter
}

/** A pool in which the first statement that matches fails, as if another transaction had changed the same rows. */
function failingOnce(connectionString: string, first: RegExp): PgPool {
  const pool = new pg.Pool({ connectionString })
  let isDone = false
  const fail = async (client: pg.PoolClient, text: string) => {
    isDone = true
    // After another error, PostgreSQL rejects the rest of the transaction, as after a conflict. A failed commit rolls back.
    await client.query(text === "commit" ? "rollback" : "select 1/0").catch(() => undefined)
    throw Object.assign(new Error("could not serialize access"), { code: "40001", severity: "ERROR" })
  }
  return {
    async connect(): Promise<PgClient> {
      const client = await pool.connect()
      return {
        query: (query) => (!isDone && first.test(query.text) ? fail(client, query.text) : client.query(query)),
        release: (destroy) => client.release(destroy),
      }
    },
    end: () => pool.end(),
  }
}

describe.skipIf(inject("postgres") === undefined)("on PostgreSQL", () => {
  const statements = [
    ["creating the user", /^insert into "users"/],
    ["linking the account", /^insert into "accounts"/],
    ["the commit", /^commit$/],
  ] as const

  const adapterIn = async (name: string, first: RegExp) => {
    const url = await newDatabase(name)
    await closing(postgres(url)).migrate()
    return closing(postgres({ pool: failingOnce(url, first) }))
  }

  test.each(statements)("a user signs up although %s conflicts with another transaction", async (_, first) => {
    const op = createProvider()
    const adapter = await adapterIn("conflicts_sign_up", first)
    const browser = await visit({ providers: [op.provider()], adapter, session: { strategy: "database" } })
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
  })

  test.each([...statements, ["storing the passkey", /^insert into "authenticators"/]] as const)(
    "a user signs up with a passkey although %s conflicts with another transaction",
    async (_, first) => {
      const adapter = await adapterIn("conflicts_passkey", first)
      const browser = await visit({ providers: [passkey()], adapter, experimental: { enableWebAuthn: true } })
      await browser.registerPasskey(createAuthenticator(), { fields: { email: "ada@example.test" } })
      expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
    },
  )
})

describe.skipIf(inject("mariadb") === undefined)("on MariaDB", () => {
  const libraries: readonly [name: string, open: (url: string) => SqlAdapter][] = [
    ["a connection string", (url) => mysql(url)],
    ["the dialect of Kysely", (uri) => sqlAdapter(new MysqlDialect({ pool: createCallbackPool({ uri }) }))],
  ]

  /** Another program that has locked a user, and has done more than the adapter, so that it wins a deadlock. */
  async function rival(url: string): Promise<Connection> {
    const connection = await createConnection(url)
    onTestFinished(() => connection.end())
    await connection.query("start transaction")
    for (let row = 0; row < 50; row += 1) {
      await connection.query(
        "insert into accounts (provider, provider_account_id, user_id, type, extra) values ('op', ?, '2', 'oauth', '{}')",
        [`${row}`],
      )
    }
    await connection.query("update users set name = 'locked' where id = '2'")
    return connection
  }

  test.each(libraries)(
    "what follows a deadlock in a transaction isn't stored without the rest, with %s",
    async (name, open) => {
      const url = await newMysqlDatabase(`conflicts_${name.replaceAll(" ", "_").toLowerCase()}`)
      const adapter = closing(open(url))
      for (const id of ["1", "2"]) await adapter.createUser({ id, email: `${id}@x.test`, emailVerified: null })
      const other = await rival(url)
      const outcomes: PromiseSettledResult<unknown>[] = []
      let runs = 0
      await adapter.transaction(async (inside) => {
        runs += 1
        await inside.updateUser?.({ id: "1", name: `${runs}` })
        if (runs > 1) return
        const waiting = other.query("update users set name = 'other' where id = '1'")
        const following = { userId: "1", type: "oauth", provider: "op" } as const
        const deadlock = inside.updateUser?.({ id: "2", name: "deadlock" })
        await new Promise((resolve) => setImmediate(resolve))
        const queued = inside.linkAccount?.({ ...following, providerAccountId: "queued" })
        outcomes.push(...(await Promise.allSettled([deadlock, queued])))
        await waiting
        await other.query("rollback")
        outcomes.push(
          ...(await Promise.allSettled([inside.linkAccount?.({ ...following, providerAccountId: "later" })])),
        )
      })
      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
      expect(runs).toBe(2)
      expect(await adapter.getUser("1")).toMatchObject({ name: "2" })
      expect(await adapter.listAccounts("1")).toEqual([])
    },
  )

  /** A pool that does something else before its first delete. */
  function interrupted(uri: string, interruption: () => Promise<void>): MysqlPool {
    const pool = createPool(uri)
    let isDone = false
    const isFirstDelete = (sql: string) => {
      const isIt = !isDone && sql.startsWith("delete")
      isDone ||= isIt
      return isIt
    }
    return {
      async getConnection(): Promise<MysqlConnection> {
        const connection = await pool.getConnection()
        return {
          execute: async (query) => {
            if (isFirstDelete(query.sql)) await interruption()
            return connection.execute(query)
          },
          query: (query) => connection.query(query),
          release: () => connection.release(),
          destroy: () => connection.destroy(),
        }
      },
      end: () => pool.end(),
    }
  }

  /** Returns when a transaction in the database waits for a lock. */
  async function untilWaiting(url: string): Promise<void> {
    const connection = await createConnection(url)
    const waiting = `select 1 from information_schema.innodb_trx join information_schema.processlist on id = trx_mysql_thread_id
      where trx_state = 'LOCK WAIT' and db = database()`
    // InnoDB refreshes this table only if it wasn't read for 100 ms.
    const polling = { timeout: 20_000, interval: 250 }
    await expect.poll(async () => (await connection.query(waiting))[0], polling).toHaveLength(1)
    await connection.end()
  }

  test("of a token that another process takes and replaces, the returned row is the deleted one", async () => {
    const url = await newMysqlDatabase("conflicts_replaced")
    const key = { identifier: "ada@example.com", token: "hash" }
    const other = closing(mysql(url))
    const [first, second] = [new Date("2030-01-01T00:00:00Z"), new Date("2031-01-01T00:00:00Z")]
    await other.createVerificationToken({ ...key, expires: first })
    const replace = async () => {
      const token = await other.useVerificationToken(key)
      await other.createVerificationToken({ ...key, expires: second })
      return token
    }
    let taken: Promise<unknown> = Promise.resolve()
    const adapter = closing(
      mysql({
        pool: interrupted(url, async () => {
          taken = replace()
          await Promise.race([taken, untilWaiting(url)])
        }),
      }),
    )
    expect(await adapter.useVerificationToken(key)).toEqual({ ...key, expires: first })
    expect(await taken).toBeNull()
    expect(await other.useVerificationToken(key)).toEqual({ ...key, expires: second })
  })
})
