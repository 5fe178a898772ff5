import { createHmac } from "node:crypto"
import { afterEach, describe, expect, test, vi } from "vitest"
import { secret } from "../http/app.js"
import { observedStore, site, tally } from "./setup.js"

afterEach(() => {
  vi.useRealTimers()
})

const down = () => Promise.reject(new Error("connection refused"))

test("a configured store is called with keys that reveal nothing", async () => {
  const { store, asked, counts } = observedStore()
  const its = site({ rateLimit: { store, trustedProxies: 1 } })
  const from = "203.0.113.7"
  expect(await tally(11, () => its.tryPassword("ada", "wrong", { from }))).toEqual({ 302: 10, 429: 1 })
  await its.tryPassword("bob", "open", { from })
  await its.askForLink("ada@app.test", { from })
  expect(asked.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true)
  expect([...counts.values()].toSorted((a, b) => a - b)).toEqual([0, 0, 1, 1, 1, 10, 10, 10])
})

test("its keys stay the same across versions, so old and new instances count together", async () => {
  const { store, asked } = observedStore()
  await site({ rateLimit: { store } }).askForLink("ada@app.test")
  const key = createHmac("sha256", secret).update("rate limit").digest("hex")
  const name = JSON.stringify(["email", "identifier", "ada@app.test"])
  expect(asked).toEqual([createHmac("sha256", key).update(name).digest("hex")])
})

test("the seconds to wait are a whole number of at least one", async () => {
  const { store } = observedStore()
  const its = site({ rateLimit: { store } })
  await tally(10, () => its.askForLink("ada@app.test"))
  expect((await its.askForLink("ada@app.test")).headers.get("retry-after")).toBe("5")
  const impatient = site({ rateLimit: { store: { take: () => ({ allowed: false, retryAfter: Number.NaN }) } } })
  expect((await impatient.tryPassword("ada")).headers.get("retry-after")).toBe("1")
})

test("two sites with different secrets can share a store", async () => {
  const { store } = observedStore()
  const one = site({ rateLimit: { store } })
  const other = site({ rateLimit: { store }, secret: "another-secret-0123456789-abcdefghijklmnopq" })
  await tally(10, () => one.askForLink("ada@app.test"))
  expect((await one.askForLink("ada@app.test")).status).toBe(429)
  expect((await other.askForLink("ada@app.test")).status).toBe(302)
})

describe("a store that fails", () => {
  test("lets attempts through and is logged", async () => {
    const its = site({ rateLimit: { store: observedStore(down).store } })
    expect((await its.tryPassword("ada", "open")).headers.get("location")).toBe("https://app.test")
    const errors = its.log.entries.filter(({ level }) => level === "error")
    expect(errors.map(({ text }) => text.includes("connection refused"))).toEqual([true])
    expect(
      errors.map(({ text }) => text.includes("`rateLimit.failOpen` decides whether attempts are allowed")),
    ).toEqual([true])
  })

  test("is replaced by the memory of the process, so attempts are still limited", async () => {
    const its = site({ rateLimit: { store: observedStore(down).store, trustedProxies: 1 } })
    const from = "203.0.113.7"
    expect(await tally(12, () => its.tryPassword("ada", "wrong", { from }))).toEqual({ 302: 10, 429: 2 })
  })

  test("with `failOpen: false` refuses attempts before checking the password", async () => {
    const its = site({ rateLimit: { store: observedStore(down).store, failOpen: false } })
    const response = await its.tryPassword("ada", "open")
    expect(response.headers.get("location")).toBe("https://app.test/auth/error?error=Configuration")
    expect(its.checked).toEqual([])
  })

  test("after a correct password does not fail the sign-in", async () => {
    const { store } = observedStore()
    const giveBack = () => down()
    const its = site({ rateLimit: { store: { take: store.take, giveBack }, failOpen: false } })
    expect((await its.tryPassword("ada", "open")).headers.get("location")).toBe("https://app.test")
  })

  test("by not answering delays the sign-in only briefly", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const never = () => new Promise<never>(() => undefined)
    const its = site({ rateLimit: { store: observedStore(never).store } })
    const attempt = its.tryPassword("ada")
    for (let step = 0; step < 100; step++) await vi.advanceTimersByTimeAsync(100)
    expect((await attempt).status).toBe(302)
    expect(its.checked).toEqual(["ada"])
  })

  test("is asked once for an attempt, so several limits don't add up to a long wait", async () => {
    const { store, asked } = observedStore(down)
    const its = site({ rateLimit: { store, trustedProxies: 1 } })
    expect((await its.tryPassword("ada", "wrong", { from: "203.0.113.7" })).status).toBe(302)
    expect(asked).toHaveLength(1)
  })

  test("without `giveBack` still works", async () => {
    const { store } = observedStore()
    const its = site({ rateLimit: { store: { take: store.take } } })
    expect(await tally(32, () => its.tryPassword("ada", "open"))).toEqual({ 302: 30, 429: 2 })
    expect(its.log.entries.filter(({ text }) => text.includes("store of the rate limits"))).toEqual([])
  })
})
