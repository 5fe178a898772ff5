import { expect, test } from "vitest"
import { andThen, isPromise, loadOnce } from "./awaitable.js"

test.each([null, undefined, 0, "then", {}, []])("%j is no promise, and what follows happens at once", (value) => {
  expect(isPromise(value)).toBe(false)
  expect(andThen(value, (given) => [given])).toEqual([value])
})

test("what follows a promise follows it", async () => {
  const later = andThen(Promise.resolve(1), (value) => value + 1)
  expect(isPromise(later)).toBe(true)
  expect(await later).toBe(2)
})

test("what couldn't be loaded is loaded again, and what was loaded isn't", async () => {
  let calls = 0
  const load = loadOnce(async () => {
    if (++calls === 1) throw new Error("too many open files")
    return calls
  })
  const together = await Promise.allSettled([load(), load()])
  expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  expect([await load(), await load(), calls]).toEqual([2, 2, 2])
})
