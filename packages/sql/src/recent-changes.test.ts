import { expect, test, vi } from "vitest"
import { RecentChanges } from "./recent-changes.js"

test("of more changes than fit, the oldest are forgotten", () => {
  const changes = new RecentChanges(1000, 2)
  for (const key of ["a", "b", "a", "c"]) changes.add(key)
  expect(["a", "b", "c"].map((key) => changes.has(key))).toEqual([true, false, true])
})

test("a change is forgotten after its time, which begins again with the next change", () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  const changes = new RecentChanges(1000, 10)
  changes.add("a")
  changes.add("b")
  vi.advanceTimersByTime(999)
  expect(changes.has("a")).toBe(true)
  changes.add("b")
  vi.advanceTimersByTime(1)
  expect([changes.has("a"), changes.has("b")]).toEqual([false, true])
  vi.useRealTimers()
})
