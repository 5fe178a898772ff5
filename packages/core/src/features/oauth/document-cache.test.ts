import { describe, expect, test } from "vitest"
import { createDocumentCache } from "./document-cache.js"

const hour = 3_600_000
const fetch = () => Promise.resolve(new Response())

/** Loads 1, 2, 3 …; fails while it is told to. */
function source() {
  const state = { loads: 0, fails: false }
  const load = async () => {
    state.loads += 1
    if (state.fails) throw new Error("out of reach")
    return state.loads
  }
  return { state, load }
}

describe("a kept document", () => {
  test("is loaded once while it is fresh, and again afterwards", async () => {
    const { state, load } = source()
    const kept = createDocumentCache<number>(hour)
    const at = (now: number) => kept.get({ fetch, url: "a", now }, load)
    expect([await at(0), await at(hour - 1), await at(hour)]).toEqual([1, 1, 2])
    expect(state.loads).toBe(2)
  })

  test("is loaded once for callers at the same time", async () => {
    const { state, load } = source()
    const kept = createDocumentCache<number>(hour)
    const key = { fetch, url: "a", now: 0 }
    expect(await Promise.all([kept.get(key, load), kept.get(key, load)])).toEqual([1, 1])
    expect(state.loads).toBe(1)
  })

  test("of one transport or address is not given to another", async () => {
    const { load } = source()
    const kept = createDocumentCache<number>(hour)
    const other = () => Promise.resolve(new Response())
    expect(await kept.get({ fetch, url: "a", now: 0 }, load)).toBe(1)
    expect(await kept.get({ fetch, url: "b", now: 0 }, load)).toBe(2)
    expect(await kept.get({ fetch: other, url: "a", now: 0 }, load)).toBe(3)
  })

  test("serves for a day while it cannot be loaded again, and is asked for every half minute", async () => {
    const { state, load } = source()
    const kept = createDocumentCache<number>(hour)
    const at = (now: number) => kept.get({ fetch, url: "a", now }, load)
    await at(0)
    state.fails = true
    expect([await at(hour), await at(hour + 1000), await at(hour + 30_000)]).toEqual([1, 1, 1])
    expect(state.loads).toBe(3)
    await expect(at(24 * hour)).rejects.toThrow("out of reach")
  })

  test("is not kept when loading failed", async () => {
    const { state, load } = source()
    const kept = createDocumentCache<number>(hour)
    state.fails = true
    await expect(kept.get({ fetch, url: "a", now: 0 }, load)).rejects.toThrow("out of reach")
    state.fails = false
    expect(await kept.get({ fetch, url: "a", now: 0 }, load)).toBe(2)
  })

  test("is renewed on demand at most twice a minute", async () => {
    const { load } = source()
    const kept = createDocumentCache<number>(hour)
    const at = (now: number) => kept.renew({ fetch, url: "a", now }, load)
    await kept.get({ fetch, url: "a", now: 0 }, load)
    expect([await at(0), await at(29_999), await at(30_000)]).toEqual([2, undefined, 3])
    expect(await kept.get({ fetch, url: "a", now: 30_001 }, load)).toBe(3)
  })

  test("is forgotten, the oldest first, when there are more than five hundred", async () => {
    const { load } = source()
    const kept = createDocumentCache<number>(hour)
    const at = (address: number) => kept.get({ fetch, url: String(address), now: 0 }, load)
    for (let address = 1; address <= 500; address++) await at(address)
    expect([await at(1), await at(500)]).toEqual([1, 500])
    expect(await at(501)).toBe(501)
    expect([await at(2), await at(501)]).toEqual([2, 501])
    expect(await at(1)).toBe(502)
  })

  test("that is being loaded is what a renewal brings", async () => {
    const kept = createDocumentCache<string>(hour)
    const key = { fetch, url: "a", now: 0 }
    const first = kept.get(key, () => Promise.resolve("first"))
    const renewed = kept.renew(key, () => Promise.resolve("second"))
    expect(await Promise.all([first, renewed])).toEqual(["first", "first"])
    expect(await kept.renew(key, () => Promise.resolve("third"))).toBe("third")
  })
})

describe("a key that fails", () => {
  function failing() {
    const { state, load } = source()
    const kept = createDocumentCache<number>(hour)
    const at = (now: number) => kept.get({ fetch, url: "a", now }, load)
    return { state, at }
  }

  test("five times in a row is left alone for half a minute, with its last reason", async () => {
    const { state, at } = failing()
    state.fails = true
    for (let now = 1_000_000; now < 1_000_005; now++) await expect(at(now)).rejects.toThrow("out of reach")
    expect(state.loads).toBe(5)
    await expect(at(1_030_003)).rejects.toThrow("out of reach")
    expect(state.loads).toBe(5)
    await expect(at(1_030_004)).rejects.toThrow("out of reach")
    expect(state.loads).toBe(6)
    await expect(at(1_030_005)).rejects.toThrow("out of reach")
    expect(state.loads).toBe(6)
  })

  test("is not left alone for longer when the clock is set back", async () => {
    const { state, at } = failing()
    state.fails = true
    for (let now = 1_000_000; now < 1_000_005; now++) await expect(at(now)).rejects.toThrow("out of reach")
    await expect(at(970_005)).rejects.toThrow("out of reach")
    expect(state.loads).toBe(5)
    await expect(at(970_004)).rejects.toThrow("out of reach")
    expect(state.loads).toBe(6)
  })

  test("four times, and then not, starts anew", async () => {
    const { state, at } = failing()
    for (let round = 0; round < 2; round++) {
      state.fails = true
      for (let time = 0; time < 4; time++) await expect(at(round * 48 * hour)).rejects.toThrow("out of reach")
      state.fails = false
      expect(await at(round * 48 * hour)).toBe(state.loads)
    }
    expect(state.loads).toBe(10)
  })
})
