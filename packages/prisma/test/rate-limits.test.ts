import type { RateLimitStore } from "@latchkey/core/types"
import { prisma, type PrismaSessionAdapter } from "@latchkey/prisma"
import { afterEach, describe, expect, inject, test, vi } from "vitest"
import { overMariadb, overPg, overSqlite } from "./clients.js"

const limit = { points: 5, seconds: 60 }
const start = Date.UTC(2026, 0, 1)

afterEach(() => {
  vi.useRealTimers()
})

function at(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: start + seconds * 1000 })
}

function limitsOf({ rateLimits }: PrismaSessionAdapter): RateLimitStore {
  if (rateLimits === undefined) throw new Error("The adapter has no rate limits")
  return rateLimits
}

async function takes(store: RateLimitStore, key: string, times: number): Promise<boolean[]> {
  const answers: boolean[] = []
  for (let time = 0; time < times; time++) answers.push((await store.take(key, limit)).allowed)
  return answers
}

function counts(name: string, make: () => Promise<PrismaSessionAdapter>): void {
  describe(`${name} counts attempts`, () => {
    let made: Promise<PrismaSessionAdapter> | undefined
    const store = async () => limitsOf(await (made ??= make()))

    test("a window allows a number of attempts, and a rejection doesn't extend it", async () => {
      const limits = await store()
      at(0)
      expect(await takes(limits, "window", 6)).toEqual([true, true, true, true, true, false])
      expect(await takes(limits, "another", 1)).toEqual([true])
      at(45)
      expect(await limits.take("window", limit)).toEqual({ allowed: false, retryAfter: 15 })
      at(60)
      expect(await takes(limits, "window", 6)).toEqual([true, true, true, true, true, false])
    })

    test("a refunded attempt can be used again, but only in its window", async () => {
      const limits = await store()
      at(0)
      await takes(limits, "back", 6)
      await limits.giveBack?.("back", limit.seconds)
      expect(await takes(limits, "back", 2)).toEqual([true, false])
      for (let time = 0; time < 9; time++) await limits.giveBack?.("back", limit.seconds)
      expect(await takes(limits, "back", 6)).toEqual([true, true, true, true, true, false])
      at(60)
      await limits.giveBack?.("back", limit.seconds)
      expect(await takes(limits, "back", 6)).toEqual([true, true, true, true, true, false])
    })

    test("of fifty parallel attempts five are allowed", async () => {
      const limits = await store()
      for (const key of ["parallel", "parallel again"]) {
        const answers = await Promise.all(Array.from({ length: 50 }, async () => limits.take(key, limit)))
        expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5)
      }
    })
  })
}

counts("SQLite", async () => prisma(await overSqlite("latchkey")))
describe.skipIf(inject("postgres") === undefined)("on a server", () => {
  counts("PostgreSQL", async () => prisma(await overPg("prisma_limits", "latchkey")))
})
describe.skipIf(inject("mariadb") === undefined)("on a server", () => {
  counts("MariaDB", async () => prisma(await overMariadb("prisma_limits", "latchkey")))
})

test("without the model, the adapter has no rate limits", async () => {
  expect(prisma(await overSqlite("published"))).not.toHaveProperty("rateLimits")
})
