import { describe, expect, test } from "vitest"
import { captureLog, frozenClock } from "../src/index.js"

describe("a frozen clock", () => {
  test("stands still until it's moved", () => {
    const clock = frozenClock(1000)
    expect([clock.now(), clock.runtime.now()]).toEqual([1000, 1000])
    clock.advance(500)
    clock.advance({ days: 1, hours: 1, minutes: 1, seconds: 1, milliseconds: 1 })
    expect(clock.runtime.now()).toBe(1500 + 86_400_000 + 3_600_000 + 60_000 + 1001)
    clock.set(new Date(7))
    expect(clock.now()).toBe(7)
  })
})

describe("a captured log", () => {
  test("keeps the level, message and detail of each entry", () => {
    const { logger, entries } = captureLog()
    logger.warn("weak-secret", "too short")
    logger.debug("token request", { grant: "code" })
    logger.error(new Error("out of order"))
    expect(entries).toMatchObject([
      { level: "warn", message: "weak-secret", detail: "too short" },
      { level: "debug", message: "token request", detail: { grant: "code" } },
      { level: "error", message: "out of order" },
    ])
  })

  test.each([
    ["in a message", (secret: string) => new Error(`refused ${secret}`)],
    [
      "in the cause of a cause",
      (secret: string) => new Error("a", { cause: new Error("b", { cause: { deep: [secret] } }) }),
    ],
    [
      "in the headers of a request",
      (secret: string) => Object.assign(new Error("a"), { headers: new Headers({ a: secret }) }),
    ],
    ["percent-encoded", (secret: string) => new Error(`https://op.test/?code=${encodeURIComponent(secret)}`)],
  ])("finds a forbidden value %s", (_, errorWith) => {
    const log = captureLog()
    log.forbid("s3cret+/value")
    log.logger.error(errorWith("s3cret+/value"))
    expect(() => log.assertClean()).toThrow("forbidden value 1")
    expect(() => log.assertClean()).not.toThrow("s3cret")
  })

  test("is clean if no forbidden value was logged", () => {
    const log = captureLog()
    log.logger.debug("token request", { grant: "code" })
    log.forbid("s3cret+/value")
    expect(() => log.assertClean()).not.toThrow()
  })

  test("rejects a forbidden value that could be part of a word", () => {
    expect(() => captureLog().forbid("ada")).toThrow("6 characters")
  })
})
