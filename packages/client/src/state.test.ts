import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { endOf, hold } from "./state.js"

const ada = { user: { name: "Ada" }, expires: "2030-01-01T00:00:00.000Z" }
const grace = { user: { name: "Grace" }, expires: "2030-01-01T00:00:00.000Z" }
const now = Date.parse("2029-01-01T00:00:00Z")

beforeEach(() => {
  vi.useFakeTimers({ now })
})

afterEach(() => {
  vi.useRealTimers()
})

test("listeners hear of changes, and the snapshot is the same object until there is one", () => {
  const state = hold<typeof ada>(undefined)
  const heard: unknown[] = []
  const stop = state.subscribe(() => heard.push(state.get().status))
  const before = state.get()
  expect(state.get()).toBe(before)
  state.settle(ada, now)
  const known = state.get()
  state.settle({ ...ada }, now)
  expect(state.get()).toBe(known)
  state.settle(null, now)
  stop()
  state.settle(ada, now)
  expect(heard).toEqual(["authenticated", "unauthenticated"])
})

test("what was true earlier does not replace what was true later", () => {
  const state = hold<typeof ada>(undefined)
  expect(state.settle(null, now)).toBe(true)
  expect(state.settle(ada, now - 1)).toBe(false)
  expect(state.get().data).toBeNull()
  expect(state.settle(ada, now)).toBe(true)
})

test("a clock that was set back does not make everything outdated", () => {
  const state = hold<typeof ada>(ada)
  state.settle(grace, now)
  vi.setSystemTime(now - 60_000)
  expect(state.settle(null, now - 60_000)).toBe(true)
})

test("a failure ends not knowing, and changes nothing that is known", () => {
  const state = hold<typeof ada>(undefined)
  state.fail()
  expect(state.get()).toEqual({ data: null, status: "unauthenticated" })
  state.settle(ada, now)
  expect(state.failed).toBe(false)
  state.fail()
  expect(state.get().data).toEqual(ada)
  expect(state.failed).toBe(true)
})

test("an end that the server gave although it is past is taken as seen; one that came with the page is not", () => {
  const past = { user: { name: "Ada" }, expires: "2020-01-01T00:00:00.000Z" }
  const state = hold<typeof ada>(past)
  expect(state.seenEnd).toBeUndefined()
  state.settle(past, now, true)
  expect(state.seenEnd).toBeUndefined()
  state.settle(past, now)
  expect(state.seenEnd).toBe(Date.parse(past.expires))
})

test.each([
  [ada, Date.parse(ada.expires)],
  [null, Number.POSITIVE_INFINITY],
  [{}, Number.POSITIVE_INFINITY],
  [{ expires: "soon" }, Number.POSITIVE_INFINITY],
])("%j ends at %s", (session, end) => {
  expect(endOf(session)).toBe(end)
})
