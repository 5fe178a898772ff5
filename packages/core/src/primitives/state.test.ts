import { describe, expect, test } from "vitest"
import { createBoundedMap, siteOf } from "./state.js"

test("drops the oldest entry when it's full", () => {
  const map = createBoundedMap<string, number>(2)
  map.set("a", 1)
  map.set("b", 2)
  map.set("c", 3)
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, 2, 3])
})

test("an entry written again is the newest", () => {
  const map = createBoundedMap<string, number>(2)
  map.set("a", 1)
  map.set("b", 2)
  map.set("a", 3)
  map.set("c", 4)
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([3, undefined, 4])
})

test("an expired entry is gone", () => {
  const map = createBoundedMap<string, number>(10)
  map.set("a", 1, { expires: 1000, now: 0 })
  expect([map.get("a", 999), map.get("a", 1000)]).toEqual([1, undefined])
})

test("expired entries make room before others", () => {
  const map = createBoundedMap<string, number>(2)
  map.set("a", 1, { expires: 1000, now: 0 })
  map.set("b", 2, { expires: 2000, now: 0 })
  map.set("c", 3, { expires: 3000, now: 1500 })
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, 2, 3])
})

describe("configurations are one site", () => {
  test("if they share any secret, however often this module is copied", async () => {
    // @ts-expect-error The query makes it another module.
    const copy: { readonly siteOf: typeof siteOf } = await import("./state.js?copy")
    expect(copy.siteOf).not.toBe(siteOf)
    const site = siteOf(["old"])
    expect(copy.siteOf(["new", "old"])).toBe(site)
    expect(siteOf(["new"])).toBe(site)
    expect(siteOf(["another"])).not.toBe(site)
  })

  test("if they have no secret", () => {
    expect(siteOf([])).toBe(siteOf([]))
  })

  test("unless their clocks differ", () => {
    const clock = {}
    expect(siteOf(["secret"], clock)).toBe(siteOf(["secret"], clock))
    expect(siteOf(["secret"], clock)).not.toBe(siteOf(["secret"]))
  })
})
