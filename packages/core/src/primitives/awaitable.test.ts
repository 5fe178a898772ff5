import { expect, test } from "vitest"
import { andThen, isPromise } from "./awaitable.js"

test.each([null, undefined, 0, "then", {}, []])("%j is no promise, and what follows happens at once", (value) => {
  expect(isPromise(value)).toBe(false)
  expect(andThen(value, (given) => [given])).toEqual([value])
})

test("what follows a promise follows it", async () => {
  const later = andThen(Promise.resolve(1), (value) => value + 1)
  expect(isPromise(later)).toBe(true)
  expect(await later).toBe(2)
})
