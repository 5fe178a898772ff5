import assert from "node:assert/strict"
import { apiKeys, type ApiKeysServer } from "@latchkey/api-keys"
import type { Adapter } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import { frozenClock } from "@latchkey/testing"
import { afterEach, describe, expect, inject, test } from "vitest"
import { ours } from "./ours.js"
import type { Opened } from "./published/published.js"

const databases = ["SQLite", "PostgreSQL", "MariaDB", "Redis", "dynalite", "a stand-in for MongoDB"]
const stores = ours.filter(
  ({ name, database }) =>
    databases.includes(database) && /sql\/(?:sqlite|postgres|mysql)$|\/(?:redis|dynamodb|mongodb)$/.test(name),
)
const available = stores.filter(({ needs }) => needs === undefined || inject(needs) !== undefined)

const opened: Opened[] = []
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
})

async function site(adapter: Adapter) {
  const clock = frozenClock(Date.now())
  const user = await adapter.createUser?.({
    id: crypto.randomUUID(),
    name: null,
    email: "ada@example.test",
    emailVerified: null,
  })
  // Each process has a configuration of its own.
  const start = () =>
    createServer({
      adapter,
      secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
      providers: [],
      url: "https://app.test/auth",
      runtime: clock.runtime,
      modules: [apiKeys({ prefix: "acme", maxKeys: 3, rateLimit: { points: 5, seconds: 3600 } })],
    })
  const keysOf = () => start().members["api-keys"] as unknown as ApiKeysServer
  return { clock, id: String(user?.id), server: start(), processes: Array.from({ length: 4 }, keysOf) }
}

const parallel = async <T>(processes: readonly ApiKeysServer[], run: (keys: ApiKeysServer) => Promise<T>) =>
  Promise.all(Array.from({ length: 5 }, () => processes.map(run)).flat())

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

describe.each(available)("API keys on $database", ({ open }) => {
  async function started() {
    const store = await open((url) => url)
    opened.push(store)
    return site(store.adapter)
  }

  test("of 20 creations at once, those that fit win, and of 20 uses, those that the limit allows", async () => {
    const { processes, id } = await started()
    const created = await parallel(processes, async (keys) => keys.create({ userId: id, name: "CI" }))
    expect(created.filter(({ ok }) => ok)).toHaveLength(3)
    expect(new Set(created.flatMap((each) => (each.ok ? [] : [each.problem])))).toEqual(new Set(["limit"]))
    const [key = ""] = created.flatMap((each) => (each.ok ? [each.key] : []))
    const used = await parallel(processes, async (keys) => keys.verify(bearer(key)))
    expect(used.filter(({ ok }) => ok)).toHaveLength(5)
  })

  test("both secrets of a rotation work, of 20 revocations one wins, and `revoke` leaves nothing", async () => {
    const { processes, id, server } = await started()
    const [one] = processes
    assert.ok(one)
    const texts: string[] = []
    for (const name of ["CI", "Backup"]) {
      const created = await one.create({ userId: id, name })
      const keyId = created.ok ? created.apiKey.keyId : ""
      const rotated = await one.rotate(keyId)
      texts.push(...[created, rotated].map((each) => (each.ok ? each.key : each.problem)))
      if (name === "CI") continue
      const revoked = await parallel(processes, async (keys) => keys.revoke(keyId))
      expect(revoked.filter((each) => each)).toHaveLength(1)
    }
    const verdicts = await Promise.all(texts.map(async (text) => one.verify(bearer(text))))
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, true, false, false])
    await server.revoke(id)
    expect(await one.list(id)).toEqual([])
    expect((await server.export(id)).modules).toEqual({ "api-keys": [] })
  })
})
