import { redisRateLimit } from "@latchkey/rate-limit"
import { afterAll, describe, expect, inject, test } from "vitest"
import { attack } from "../../../tests/attack.js"
import { type Connected, ioredis, nodeRedis } from "./clients.js"

const limit = { points: 5, seconds: 60 }

describe.skipIf(inject("redis") === undefined).each([
  ["ioredis", ioredis],
  ["redis", nodeRedis],
])("with a client of %s", (name, connect) => {
  let made: Promise<Connected> | undefined
  const connected = () => (made ??= connect())
  afterAll(async () => (await connected()).close())

  const counter = async () => {
    const { client } = await connected()
    const store = redisRateLimit(client, { prefix: `${name}:` })
    const takes = async (key: string, times: number) => {
      const answers: boolean[] = []
      for (let time = 0; time < times; time++) answers.push((await store.take(key, limit)).allowed)
      return answers
    }
    return { store, takes }
  }

  test("a window allows a number of attempts, and a rejection doesn't extend it", async () => {
    const { store, takes } = await counter()
    const { ttl } = await connected()
    expect(await takes("window", 6)).toEqual([true, true, true, true, true, false])
    const before = await ttl(`${name}:window`)
    const { allowed, retryAfter } = await store.take("window", limit)
    expect(allowed).toBe(false)
    expect(retryAfter).toBeGreaterThan(50)
    expect(retryAfter * 1000).toBeLessThanOrEqual(before)
    expect(await takes("another", 1)).toEqual([true])
  })

  test("the key expires with its window, and the next attempt starts another", async () => {
    const { takes } = await counter()
    const { shorten, ttl } = await connected()
    await takes("ended", 6)
    await shorten(`${name}:ended`)
    await expect.poll(() => ttl(`${name}:ended`)).toBe(-2)
    expect(await takes("ended", 6)).toEqual([true, true, true, true, true, false])
  })

  test("a refunded attempt can be used again, but no more than were made", async () => {
    const { store, takes } = await counter()
    const { keys, ttl } = await connected()
    await takes("back", 6)
    await store.giveBack("back", limit.seconds)
    expect(await takes("back", 2)).toEqual([true, false])
    for (let time = 0; time < 9; time++) await store.giveBack("back", limit.seconds)
    expect(await ttl(`${name}:back`)).toBeGreaterThan(0)
    expect(await takes("back", 6)).toEqual([true, true, true, true, true, false])
    await store.giveBack("never taken", limit.seconds)
    expect(await keys(`${name}:never*`)).toEqual([])
  })

  test("a key without an expiry doesn't block a user forever", async () => {
    const { takes } = await counter()
    const { persist } = await connected()
    await takes("stays", 6)
    await persist(`${name}:stays`)
    expect(await takes("stays", 6)).toEqual([true, true, true, true, true, false])
  })

  attack("ADV-BA-16", `Redis through ${name}: of fifty takes at once five are allowed`, async (mode) => {
    const { store } = await counter()
    const answers = await Promise.all(Array.from({ length: 50 }, async () => store.take(`parallel ${mode}`, limit)))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5)
  })
})

test("an unexpected result is an error, not a rejection", async () => {
  const answer = () => Promise.resolve("PONG")
  const store = redisRateLimit({ get: answer, eval: answer, evalSha: answer })
  await expect(store.take("key", limit)).rejects.toThrow("Redis returned an unexpected result")
})
