import { drizzle } from "@latchkey/drizzle"
import * as tables from "@latchkey/drizzle/mysql"
import { datetime, mysqlTable, varchar } from "drizzle-orm/mysql-core"
import mysql from "mysql2/promise"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { mysql2 } from "./databases.js"

const key = { identifier: "ada@example.com", token: "hash" }
const former = new Date("2030-01-01")
const next = new Date("2031-01-01")
const ada = { id: "1", email: "ada@example.com", emailVerified: null }

async function connectionTo(name: string): Promise<mysql.Connection> {
  const url = new URL(inject("mariadb") ?? "")
  url.pathname = `/${name}`
  const connection = await mysql.createConnection(url.href)
  onTestFinished(() => connection.end())
  return connection
}

/** Resolves when a query in this database waits for a lock. */
async function someoneWaits(connection: mysql.Connection): Promise<void> {
  const waiting =
    "select 1 from information_schema.innodb_trx join information_schema.processlist on id = trx_mysql_thread_id where db = database() and trx_state = 'LOCK WAIT'"
  // InnoDB updates this table only if it wasn't read for 100 ms.
  await expect.poll(async () => (await connection.query(waiting))[0], { interval: 250 }).toHaveLength(1)
}

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  test("a token that's replaced while it's used is the one that's used up", async () => {
    const adapter = drizzle(await mysql2("drizzle_replaced", tables), tables)
    await adapter.createVerificationToken({ ...key, expires: former })
    const other = await connectionTo("drizzle_replaced")
    await other.query("begin")
    await other.query("select * from verificationToken for update")
    const using = adapter.useVerificationToken(key)
    await someoneWaits(other)
    await other.query("update verificationToken set expires = '2031-01-01'")
    await other.query("commit")
    expect(await using).toEqual({ ...key, expires: next })
    expect(await adapter.useVerificationToken(key)).toBeNull()
  })

  test("an account that's moved to another user while it's unlinked is returned with its new owner", async () => {
    const adapter = drizzle(await mysql2("drizzle_moved", tables), tables)
    const { id: userId } = await adapter.createUser(ada)
    const { id: bob } = await adapter.createUser({ ...ada, id: "2", email: "bob@example.com" })
    const account = { provider: "acme", providerAccountId: "1" }
    await adapter.linkAccount({ ...account, userId, type: "oidc" })
    const other = await connectionTo("drizzle_moved")
    await other.query("begin")
    await other.query("select * from account for update")
    const unlinking = adapter.unlinkAccount(account)
    await someoneWaits(other)
    await other.query("update account set userId = ?", [bob])
    await other.query("commit")
    expect(await unlinking).toMatchObject({ ...account, userId: bob })
    expect(await adapter.getAccount("1", "acme")).toBeNull()
  })

  test("a token whose date has microseconds is used up once", async () => {
    const verificationTokens = mysqlTable("verificationToken", {
      identifier: varchar("identifier", { length: 255 }),
      token: varchar("token", { length: 255 }),
      expires: datetime("expires", { mode: "date", fsp: 6 }),
    })
    const db = await mysql2("drizzle_microseconds", { verificationTokens })
    await db.$client.query("insert into verificationToken values (?, ?, '2030-01-01 00:00:00.123456')", [
      key.identifier,
      key.token,
    ])
    const adapter = drizzle(db, { verificationTokens })
    const uses = await Promise.all([adapter.useVerificationToken(key), adapter.useVerificationToken(key)])
    expect(uses.filter((use) => use !== null)).toEqual([{ ...key, expires: new Date("2030-01-01T00:00:00.123Z") }])
  })

  test("a transaction in which a deadlock is caught stores nothing, also of what follows", async () => {
    const adapter = drizzle(await mysql2("drizzle_deadlock", tables), tables)
    for (const id of ["1", "2"]) await adapter.createUser({ ...ada, id, email: `${id}@x.test` })
    const users = [await adapter.getUserByEmail("1@x.test"), await adapter.getUserByEmail("2@x.test")]
    const [first = "", second = ""] = users.map((user) => user?.id)
    const other = await connectionTo("drizzle_deadlock")
    const crossing = adapter.transaction?.(async (inside) => {
      await inside.updateUser?.({ id: first, name: "changed" })
      await other.query("begin")
      // The database ends the transaction that changed fewer rows.
      for (let row = 0; row < 20; row += 1)
        await other.query("insert into user (id, email) values (?, ?)", [`x${row}`, `x${row}@x.test`])
      await other.query("update user set name = 'other' where id = ?", [second])
      const waiting = Promise.resolve(inside.updateUser?.({ id: second, name: "changed" })).catch(() => null)
      await someoneWaits(other)
      await other.query("update user set name = 'other' where id = ?", [first])
      await waiting
      await Promise.resolve(inside.createUser?.({ ...ada, email: "late@x.test" })).catch(() => null)
      return "done"
    })
    await expect(crossing).rejects.toThrow("The transaction was rolled back, because a query in it failed.")
    await other.query("commit")
    expect(await adapter.getUserByEmail("late@x.test")).toBeNull()
    expect((await adapter.getUser(first))?.name).toBe("other")
  })

  test("a transaction in which an email is taken goes on", async () => {
    const adapter = drizzle(await mysql2("drizzle_taken", tables), tables)
    await adapter.createUser(ada)
    await adapter.transaction?.(async (inside) => {
      await Promise.resolve(inside.createUser?.(ada)).catch(() => null)
      await inside.createUser?.({ ...ada, id: "2", email: "bob@example.com" })
    })
    expect(await adapter.getUserByEmail("bob@example.com")).not.toBeNull()
  })
})
