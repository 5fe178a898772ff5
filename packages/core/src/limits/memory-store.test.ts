import { expect, test } from "vitest"
import { memoryRateLimitStore } from "./memory-store.js"

const limit = { points: 3, seconds: 60 }

function at(start = 0, capacity?: number) {
  const clock = { now: start }
  return { clock, store: memoryRateLimitStore(() => clock.now, capacity) }
}

function takes(store: ReturnType<typeof at>["store"], key: string, times: number, of = limit): boolean[] {
  return Array.from({ length: times }, () => allowed(store.take(key, of)))
}

function allowed(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "allowed" in answer && answer.allowed === true
}

test("a window allows the configured points, and a refusal returns the seconds until it ends", () => {
  const { clock, store } = at()
  expect(takes(store, "a", 4)).toEqual([true, true, true, false])
  clock.now = 45_000
  expect(store.take("a", limit)).toEqual({ allowed: false, retryAfter: 15 })
  expect(takes(store, "b", 1)).toEqual([true])
  clock.now = 60_000
  expect(takes(store, "a", 4)).toEqual([true, true, true, false])
})

test("a refunded point can be taken again, and only taken points are refunded", async () => {
  const { store } = at()
  takes(store, "a", 3)
  await store.giveBack("a", 60)
  expect(takes(store, "a", 2)).toEqual([true, false])
  for (let times = 0; times < 9; times++) await store.giveBack("a", 60)
  expect(takes(store, "a", 4)).toEqual([true, true, true, false])
})

test("a point refunded after its window has no effect on the next one", async () => {
  const { clock, store } = at()
  takes(store, "a", 3)
  clock.now = 60_000
  await store.giveBack("a", 60)
  expect(takes(store, "a", 4)).toEqual([true, true, true, false])
})

test("a flood of other keys does not evict a used-up key", () => {
  const { store } = at(0, 100)
  takes(store, "victim", 3)
  for (let key = 0; key < 10_000; key++) takes(store, `flood ${key}`, 1)
  expect(takes(store, "victim", 1)).toEqual([false])
  for (let key = 0; key < 98; key++) takes(store, `double ${key}`, 2)
  for (let key = 0; key < 1000; key++) takes(store, `flood again ${key}`, 1)
  expect(takes(store, "victim", 1)).toEqual([false])
})

test("a store full of expired keys accepts new keys", () => {
  const { clock, store } = at(0, 100)
  for (let key = 0; key < 100; key++) takes(store, `used up ${key}`, 3)
  clock.now = 60_000
  expect(takes(store, "new", 4)).toEqual([true, true, true, false])
  const once = { points: 1, seconds: 60 }
  for (let key = 0; key < 90; key++) takes(store, `other ${key}`, 1, once)
  expect(takes(store, "other 0", 1, once)).toEqual([false])
})

test("the store never exceeds its capacity: a further key evicts an older one", () => {
  const { store } = at(0, 100)
  for (let key = 0; key < 101; key++) takes(store, `used up ${key}`, 3)
  expect(takes(store, "used up 100", 1)).toEqual([false])
  expect(takes(store, "used up 0", 1)).toEqual([true])
})

test("one key beyond the capacity evicts the oldest of the least used keys, and no other", () => {
  const { store } = at(0, 100)
  for (let key = 0; key < 101; key++) takes(store, `key ${key}`, 1)
  expect(takes(store, "key 1", 3)).toEqual([true, true, false])
  expect(takes(store, "key 100", 3)).toEqual([true, true, false])
  expect(takes(store, "key 0", 4)).toEqual([true, true, true, false])
})

test("counting on a known key evicts no other key, even when the store is full", () => {
  const { store } = at(0, 2)
  takes(store, "a", 1)
  takes(store, "b", 1)
  takes(store, "b", 1)
  expect(takes(store, "a", 3)).toEqual([true, true, false])
})

test("an expired key is evicted before a valid one, even if it was counted later", () => {
  const { clock, store } = at(0, 2)
  takes(store, "first", 2)
  clock.now = 30_000
  takes(store, "second", 2)
  takes(store, "first", 1)
  clock.now = 61_000
  takes(store, "third", 1)
  expect(takes(store, "second", 2)).toEqual([true, false])
})

test("a full store evicts a hundredth of its keys at once, because finding the oldest is slow", () => {
  const { store } = at(0, 1000)
  for (let key = 0; key < 1000; key++) takes(store, `key ${key}`, 1)
  takes(store, "new", 1)
  expect(takes(store, "key 10", 3)).toEqual([true, true, false])
  expect(takes(store, "key 9", 4)).toEqual([true, true, true, false])
})

test("a full store evicts only the least used keys, even if they are fewer than a hundredth", () => {
  const { store } = at(0, 1000)
  for (let key = 0; key < 1000; key++) takes(store, `key ${key}`, key < 999 ? 2 : 1)
  takes(store, "new", 1)
  expect(takes(store, "key 0", 2)).toEqual([true, false])
  expect(takes(store, "new", 3)).toEqual([true, true, false])
})
