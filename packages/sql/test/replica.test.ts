import type { Adapter } from "@latchkey/core/adapters"
import { postgres } from "@latchkey/sql/postgres"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest"
import { startReplica } from "../../../tests/servers/postgres-replica.js"
import { postgres as postgresServer } from "../../../tests/servers/postgres.js"

const user = { id: "1", email: "ada@example.com", emailVerified: null }
const expires = new Date("2100-01-01T00:00:00.000Z")

describe.skipIf(inject("postgres") === undefined)("with a replica", () => {
  let primary = ""
  let replica = ""
  const stopping: (() => Promise<void> | undefined)[] = []

  beforeAll(async () => {
    const server = await postgresServer.find()
    if (server === undefined) throw new Error("PostgreSQL isn't installed")
    stopping.push(async () => server.stop?.())
    primary = server.value
    const adapter = postgres(primary)
    await adapter.createUser(user)
    await adapter.close()
    const copy = await startReplica(primary)
    stopping.unshift(copy.stop)
    replica = copy.value
  })

  afterAll(async () => {
    for (const stop of stopping) await stop()
  })

  async function ask(connectionString: string, text: string): Promise<unknown> {
    const client = new pg.Client({ connectionString })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows[0]
  }

  /** Counts the queries of sessions, which only the adapter under test sends. */
  function counted(connectionString: string) {
    const pool = new pg.Pool({ connectionString })
    pool.on("error", () => {})
    let reads = 0
    return {
      get reads() {
        return reads
      },
      async connect() {
        const client = await pool.connect()
        return {
          query: (query: pg.QueryConfig) => {
            if (query.text.startsWith("select") && query.text.includes('"sessions"')) reads += 1
            return client.query(query)
          },
          release: (destroy?: boolean) => client.release(destroy),
        }
      },
      end: () => pool.end(),
    }
  }

  function open() {
    const pools = { primary: counted(primary), replica: counted(replica) }
    const adapter = postgres({ pool: pools.primary, replica: pools.replica })
    onTestFinished(() => adapter.close())
    return { adapter, pools }
  }

  async function pauseReplay(): Promise<void> {
    await ask(replica, "select pg_wal_replay_pause()")
    const state = () => ask(replica, "select pg_get_wal_replay_pause_state() as state")
    await expect.poll(state).toEqual({ state: "paused" })
    onTestFinished(async () => void (await ask(replica, "select pg_wal_replay_resume()")))
  }

  async function catchUp(): Promise<void> {
    const lsn = await ask(primary, "select pg_current_wal_lsn()::text as lsn")
    const { lsn: wanted } = Object(lsn)
    const done = () => ask(replica, `select pg_last_wal_replay_lsn() >= '${wanted}' as done`)
    await expect.poll(done).toEqual({ done: true })
  }

  test("a session that has arrived is read from the replica alone", async () => {
    const { adapter, pools } = open()
    await adapter.createSession({ sessionToken: "arrived", userId: "1", expires })
    await catchUp()
    expect(await adapter.getSessionAndUser("arrived")).toEqual({
      session: { sessionToken: "arrived", userId: "1", expires },
      user: expect.objectContaining(user),
    })
    expect([pools.primary.reads, pools.replica.reads]).toEqual([0, 1])
  })

  test("a session that started a moment ago is found, although the replica doesn't have it", async () => {
    const { adapter, pools } = open()
    await pauseReplay()
    await adapter.createSession({ sessionToken: "new", userId: "1", expires })
    expect(await adapter.getSessionAndUser("new")).toMatchObject({ session: { sessionToken: "new" } })
    expect([pools.primary.reads, pools.replica.reads]).toEqual([1, 1])
  })

  test("a session that another process has ended is valid until the replica knows", async () => {
    const { adapter } = open()
    const other = open().adapter
    await adapter.createSession({ sessionToken: "ended", userId: "1", expires })
    await catchUp()
    await pauseReplay()
    await other.deleteSession("ended")
    expect(await adapter.getSessionAndUser("ended")).not.toBeNull()
    await ask(replica, "select pg_wal_replay_resume()")
    await catchUp()
    expect(await adapter.getSessionAndUser("ended")).toBeNull()
  })

  const endings: readonly [what: string, end: (adapter: Adapter, token: string) => unknown][] = [
    ["a sign-out", (adapter, token) => adapter.deleteSession?.(token)],
    ["a sign-out everywhere", (adapter) => adapter.deleteSessions?.("leaving")],
    ["the deletion of its user", (adapter) => adapter.deleteUser?.("leaving")],
    ["a transaction", (adapter, token) => adapter.transaction?.(async (inside) => inside.deleteSession?.(token))],
  ]

  test.each(endings)("a session that this process has ended by %s isn't valid again", async (what, end) => {
    const { adapter } = open()
    await adapter.createUser({ ...user, id: "leaving", email: `${what}@example.com` })
    await adapter.createSession({ sessionToken: what, userId: "leaving", expires })
    await catchUp()
    await pauseReplay()
    await end(adapter, what)
    expect(await adapter.getSessionAndUser(what)).toBeNull()
    await adapter.deleteUser("leaving")
  })

  test("a session that ends while the replica is read isn't valid", async () => {
    const pool = new pg.Pool({ connectionString: replica })
    const { adapter } = open()
    const reading = postgres({
      pool: new pg.Pool({ connectionString: primary }),
      replica: {
        connect: async () => {
          const client = await pool.connect()
          return {
            query: async (query: pg.QueryConfig) => {
              const result = await client.query(query)
              if (query.text.includes('"sessions"."session_token" =')) await reading.deleteSession("meanwhile")
              return result
            },
            release: (destroy?: boolean) => client.release(destroy),
          }
        },
        end: () => pool.end(),
      },
    })
    onTestFinished(() => reading.close())
    await adapter.createSession({ sessionToken: "meanwhile", userId: "1", expires })
    await catchUp()
    expect(await reading.getSessionAndUser("meanwhile")).toBeNull()
  })

  test("a change of the user is visible in this process at once", async () => {
    const { adapter } = open()
    await adapter.createSession({ sessionToken: "renamed", userId: "1", expires })
    await catchUp()
    await pauseReplay()
    await adapter.updateUser({ id: "1", name: "Ada" })
    expect(await adapter.getSessionAndUser("renamed")).toMatchObject({ user: { name: "Ada" } })
  })

  test("a session that was extended doesn't expire because the replica doesn't know", async () => {
    const { adapter } = open()
    await adapter.createSession({ sessionToken: "extended", userId: "1", expires: new Date(1000) })
    await catchUp()
    await pauseReplay()
    await adapter.updateSession({ sessionToken: "extended", expires })
    expect(await adapter.getSessionAndUser("extended")).toMatchObject({ session: { expires } })
  })

  test("while the replica is down, sessions are read from the primary, and `check` says so", async () => {
    const pool = new pg.Pool({ connectionString: primary })
    let attempts = 0
    const down = {
      connect: async () => {
        attempts += 1
        throw new Error("down")
      },
      end: async () => undefined,
    }
    const adapter = postgres({ pool, replica: down })
    onTestFinished(() => adapter.close())
    await adapter.createSession({ sessionToken: "down", userId: "1", expires })
    for (let time = 0; time < 3; time += 1) {
      expect(await adapter.getSessionAndUser("down")).toMatchObject({ session: { sessionToken: "down" } })
    }
    expect(attempts).toBe(1)
    expect(await adapter.check()).toEqual([
      {
        level: "warning",
        problem: expect.stringMatching(/^The replica can't be read: Can't connect to PostgreSQL\./),
        fix: "Check that it runs and has the tables. Until then, the primary is read.",
      },
    ])
  })
})
