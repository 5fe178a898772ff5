import type { SqlAdapter } from "@latchkey/sql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, inject, test, vi } from "vitest"
import { attack } from "../../../tests/attack.js"
import { newDatabase, temporaryFolder } from "./databases.js"

const limit = { points: 5, seconds: 60 }
const start = Date.UTC(2026, 0, 1)

afterEach(() => {
  vi.useRealTimers()
})

function at(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: start + seconds * 1000 })
}

async function takes({ rateLimits }: SqlAdapter, key: string, times: number): Promise<boolean[]> {
  const answers: boolean[] = []
  for (let time = 0; time < times; time++) answers.push((await rateLimits.take(key, limit)).allowed)
  return answers
}

function counts(name: string, make: () => Promise<SqlAdapter> | SqlAdapter): void {
  describe(`${name} counts attempts`, () => {
    let made: Promise<SqlAdapter> | undefined
    const adapter = () => (made ??= Promise.resolve(make()))
    afterAll(async () => (await adapter()).close())

    test("a window allows a number of attempts, and a rejection doesn't extend it", async () => {
      const db = await adapter()
      at(0)
      expect(await takes(db, "window", 6)).toEqual([true, true, true, true, true, false])
      expect(await takes(db, "another", 1)).toEqual([true])
      at(45)
      expect(await db.rateLimits.take("window", limit)).toEqual({ allowed: false, retryAfter: 15 })
      at(60)
      expect(await takes(db, "window", 6)).toEqual([true, true, true, true, true, false])
    })

    test("a refunded attempt can be used again, but only in its window", async () => {
      const db = await adapter()
      at(0)
      await takes(db, "back", 6)
      await db.rateLimits.giveBack?.("back", limit.seconds)
      expect(await takes(db, "back", 2)).toEqual([true, false])
      for (let time = 0; time < 9; time++) await db.rateLimits.giveBack?.("back", limit.seconds)
      expect(await takes(db, "back", 6)).toEqual([true, true, true, true, true, false])
      at(60)
      await db.rateLimits.giveBack?.("back", limit.seconds)
      expect(await takes(db, "back", 6)).toEqual([true, true, true, true, true, false])
    })

    attack("ADV-BA-16", `${name}: of fifty takes at once five are allowed`, async (mode) => {
      const db = await adapter()
      for (const key of [`parallel ${mode}`, `parallel ${mode} again`]) {
        const answers = await Promise.all(Array.from({ length: 50 }, async () => db.rateLimits.take(key, limit)))
        expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5)
      }
    })

    attack("DOS-05", `${name}: rows that have expired are purged`, async (mode) => {
      const db = await adapter()
      at(0)
      for (let time = 0; time < 20; time++) {
        await db.rateLimits.take(`flood ${mode} ${time}`, limit)
        const token = { identifier: `${mode} ${time}`, token: "t", expires: new Date(start + 60_000) }
        await db.createVerificationToken(token)
      }
      await db.rateLimits.take(`long ${mode}`, { points: 1, seconds: 3600 })
      at(61)
      const { rateLimits, verificationTokens } = await db.purge()
      expect([rateLimits >= 20, verificationTokens]).toEqual([true, 20])
      expect((await db.rateLimits.take(`long ${mode}`, { points: 1, seconds: 3600 })).allowed).toBe(false)
      expect(await db.purge()).toMatchObject({ rateLimits: 0, verificationTokens: 0 })
    })
  })
}

counts("SQLite", () => sqlite(":memory:", { prefix: "p_" }))
counts("SQLite in a file", async () => sqlite(join(await temporaryFolder(), "limits.db")))
describe.skipIf(inject("postgres") === undefined)("on a server", () => {
  counts("PostgreSQL", async () => postgres(await newDatabase("rate_limits")))
  counts("PostgreSQL with a prefix", async () =>
    postgres({ connectionString: await newDatabase("rate_limits_prefixed"), prefix: "p_" }),
  )

  test("of fifty parallel attempts through two pools five are allowed", async () => {
    const connectionString = await newDatabase("rate_limits_shared")
    const [one, two] = [postgres(connectionString), postgres(connectionString)]
    await one.migrate()
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => (index % 2 === 0 ? one : two).rateLimits.take("shared", limit)),
    )
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5)
    await Promise.all([one.close(), two.close()])
  })
})
