import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createStore, expiryOf } from "./store.js"

const ada = { user: { name: "Ada" }, expires: "2030-01-01T00:00:00.000Z" }
const grace = { user: { name: "Grace" }, expires: "2030-01-01T00:00:00.000Z" }
const now = Date.parse("2029-01-01T00:00:00Z")

beforeEach(() => {
  vi.useFakeTimers({ now })
})

afterEach(() => {
  vi.useRealTimers()
})

test("listeners are called after a change, and the snapshot is the same object until then", () => {
  const store = createStore<typeof ada>(undefined)
  const statuses: unknown[] = []
  const stop = store.subscribe(() => statuses.push(store.get().status))
  const before = store.get()
  expect(store.get()).toBe(before)
  store.set(ada, now)
  const known = store.get()
  store.set({ ...ada }, now)
  expect(store.get()).toBe(known)
  store.set(null, now)
  stop()
  store.set(ada, now)
  expect(statuses).toEqual(["authenticated", "unauthenticated"])
})

test("an older session doesn't replace a newer one", () => {
  const store = createStore<typeof ada>(undefined)
  expect(store.set(null, now)).toBe(true)
  expect(store.set(ada, now - 1)).toBe(false)
  expect(store.get().data).toBeNull()
  expect(store.set(ada, now)).toBe(true)
})

test("after the clock is set back, new sessions are still accepted", () => {
  const store = createStore<typeof ada>(ada)
  store.set(grace, now)
  vi.setSystemTime(now - 60_000)
  expect(store.set(null, now - 60_000)).toBe(true)
})

test("a failure ends the loading status and keeps a known session", () => {
  const store = createStore<typeof ada>(undefined)
  store.setFailed()
  expect(store.get()).toEqual({ data: null, status: "unauthenticated" })
  store.set(ada, now)
  expect(store.hasFailed).toBe(false)
  store.setFailed()
  expect(store.get().data).toEqual(ada)
  expect(store.hasFailed).toBe(true)
})

test("an expiry in the past counts as checked if the server returned it, but not if it came with the page", () => {
  const past = { user: { name: "Ada" }, expires: "2020-01-01T00:00:00.000Z" }
  const store = createStore<typeof ada>(past)
  expect(store.checkedExpiry).toBeUndefined()
  store.set(past, now, true)
  expect(store.checkedExpiry).toBeUndefined()
  store.set(past, now)
  expect(store.checkedExpiry).toBe(Date.parse(past.expires))
})

test.each([
  [ada, Date.parse(ada.expires)],
  [null, Number.POSITIVE_INFINITY],
  [{}, Number.POSITIVE_INFINITY],
  [{ expires: "soon" }, Number.POSITIVE_INFINITY],
])("%j expires at %s", (session, expiry) => {
  expect(expiryOf(session)).toBe(expiry)
})
