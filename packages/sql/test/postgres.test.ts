import { createServer, type Server, type Socket } from "node:net"
import { postgres } from "@latchkey/sql/postgres"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { newDatabase, onServer } from "./databases.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }

/** A server that accepts connections and never responds. */
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

test("the error for an unreachable server has its cause and no password", async () => {
  const adapter = postgres("postgres://app:secret-password@127.0.0.1:1/app")
  const error: unknown = await Promise.resolve(adapter.getUser("1")).catch((reason: unknown) => reason)
  expect(Object(error).message).toBe(
    "Can't connect to PostgreSQL. Check the connection string, and that the server is running and accepts more connections.",
  )
  expect(Object(error).cause).toMatchObject({ code: "ECONNREFUSED" })
  expect(`${JSON.stringify(error)} ${String(Object(error).cause)}`).not.toContain("secret-password")
  await adapter.close()
})

test("a connection to a server that never responds fails after the timeout", async () => {
  const connectionString = `postgres://app@127.0.0.1:${await mute()}/app`
  const adapters = [600_000, 100].map((connectionTimeoutMillis) =>
    postgres({ connectionString, connectionTimeoutMillis }),
  )
  const answers = adapters.map(async (adapter, at) =>
    Promise.resolve(adapter.getUser("1")).catch((error: unknown) => ({ at, error })),
  )
  expect(await Promise.race(answers)).toMatchObject({
    at: 1,
    error: { message: expect.stringContaining("Can't connect to PostgreSQL") },
  })
  await adapters[1]?.close()
})

describe.skipIf(inject("postgres") === undefined)("with a server", () => {
  test("a failed first use can be repeated when the server is reachable", async () => {
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
    await expect(adapter.getUser("1")).rejects.toThrow("Can't connect to PostgreSQL")
    isDown = false
    expect(await adapter.getUser("1")).toBeNull()
    await adapter.close()
  })

  test("reading a session is one query, prepared once per connection", async () => {
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

  test("a connection that the server closed is replaced", async () => {
    const url = await newDatabase("postgres_ended")
    const adapter = postgres(url)
    await adapter.createUser(ada)
    await onServer("select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = 'postgres_ended'")
    // Whether the pool has noticed by now is a race; within two calls it must have.
    await Promise.resolve(adapter.getUser("1")).catch(() => null)
    expect(await adapter.getUser("1")).toMatchObject(ada)
    await adapter.close()
  })

  test("a query that takes too long fails, and its connection isn't used again", async () => {
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

  test("a transaction that catches the error of a query rejects", async () => {
    const adapter = postgres(await newDatabase("postgres_swallowed"))
    await adapter.createUser(ada)
    const work = adapter.transaction(async (inside) => {
      await inside.createUser?.({ id: "2", email: "2@x.test", emailVerified: null })
      await Promise.resolve(inside.createUser?.({ ...ada, id: "3" })).catch(() => null)
    })
    await expect(work).rejects.toThrow("The transaction was rolled back, because a query in it failed.")
    expect(await adapter.getUser("2")).toBeNull()
    await adapter.close()
  })
})
