import { createServer, type Server, type Socket } from "node:net"
import { postgres } from "@latchkey/sql/postgres"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { newDatabase, onServer } from "./databases.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }

/** A server that takes connections and never says a word. */
async function mute(): Promise<number> {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port")
  return address.port
}

test("a server that is not there is told in words, with its cause and without the password", async () => {
  const adapter = postgres("postgres://app:secret-password@127.0.0.1:1/app")
  const error: unknown = await Promise.resolve(adapter.getUser("1")).catch((reason: unknown) => reason)
  expect(Object(error).message).toBe(
    "PostgreSQL cannot be reached: check the connection string, and that the server runs and has connections to spare",
  )
  expect(Object(error).cause).toMatchObject({ code: "ECONNREFUSED" })
  expect(`${JSON.stringify(error)} ${String(Object(error).cause)}`).not.toContain("secret-password")
  await adapter.close()
})

test("a server that takes connections and never answers is given up after the timeout", async () => {
  const connectionString = `postgres://app@127.0.0.1:${await mute()}/app`
  const adapters = [600_000, 100].map((connectionTimeoutMillis) =>
    postgres({ connectionString, connectionTimeoutMillis }),
  )
  const answers = adapters.map(async (adapter, at) =>
    Promise.resolve(adapter.getUser("1")).catch((error: unknown) => ({ at, error })),
  )
  expect(await Promise.race(answers)).toMatchObject({
    at: 1,
    error: { message: expect.stringContaining("PostgreSQL cannot be reached") },
  })
  await adapters[1]?.close()
})

test("an address is demanded at once", () => {
  expect(() => postgres({})).toThrow("PostgreSQL has no address: pass a connection string or a pool")
  expect(() => postgres("")).toThrow("PostgreSQL has no address: pass a connection string or a pool")
})

describe.skipIf(inject("postgres") === undefined)("with a server", () => {
  test("the first use is tried again after the server was out of reach", async () => {
    const url = await newDatabase("postgres_retry")
    const real = new pg.Pool({ connectionString: url })
    let isDown = true
    const pool = {
      connect: async () => {
        if (isDown) throw new Error("down")
        return real.connect()
      },
      end: () => real.end(),
    }
    const adapter = postgres({ pool })
    await expect(adapter.getUser("1")).rejects.toThrow("PostgreSQL cannot be reached")
    isDown = false
    expect(await adapter.getUser("1")).toBeNull()
    await adapter.close()
  })

  test("reading a session is one query, prepared once a connection", async () => {
    const url = await newDatabase("postgres_prepared")
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const adapter = postgres({ pool })
    await adapter.createUser(ada)
    await adapter.createSession({ sessionToken: "s", userId: "1", expires: new Date(1_900_000_000_123) })
    for (let time = 0; time < 3; time += 1) await adapter.getSessionAndUser("s")
    const { rows } = await pool.query(
      "select generic_plans + custom_plans as times from pg_prepared_statements where statement like 'select%session_token%'",
    )
    expect(rows).toEqual([{ times: "3" }])
    await adapter.close()
  })

  test("a connection that the server ended is replaced, and the process lives on", async () => {
    const url = await newDatabase("postgres_ended")
    const adapter = postgres(url)
    await adapter.createUser(ada)
    await onServer("select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = 'postgres_ended'")
    // Whether the pool has noticed by now is a race; within two calls it must have.
    await Promise.resolve(adapter.getUser("1")).catch(() => null)
    expect(await adapter.getUser("1")).toMatchObject(ada)
    await adapter.close()
  })

  test("a query that takes too long is given up, and its connection is not lent again", async () => {
    const url = await newDatabase("postgres_slow")
    const pool = new pg.Pool({ connectionString: url, query_timeout: 1500, max: 1 })
    const adapter = postgres({ pool })
    await adapter.createUser(ada)
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query("begin; lock table users in access exclusive mode")
    await expect(adapter.getUser("1")).rejects.toThrow("timeout")
    expect(await adapter.listSessions("1")).toEqual([])
    await other.query("rollback")
    await other.end()
    await adapter.close()
  })

  test("work that swallows the error of a query does not pass for committed", async () => {
    const adapter = postgres(await newDatabase("postgres_swallowed"))
    await adapter.createUser(ada)
    const work = adapter.transaction(async (inside) => {
      await inside.createUser?.({ id: "2", email: "2@x.test", emailVerified: null })
      await Promise.resolve(inside.createUser?.({ ...ada, id: "3" })).catch(() => null)
    })
    await expect(work).rejects.toThrow("The transaction was undone: a query in it had failed")
    expect(await adapter.getUser("2")).toBeNull()
    await adapter.close()
  })
})
