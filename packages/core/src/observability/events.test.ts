import { afterEach, expect, test, vi } from "vitest"
import { eventsOf } from "./events.js"
import { loggerOf } from "./logger.js"
import type { Logger } from "../model/logger.js"

const user = { id: "u", name: "ada" }

function capture(): { readonly errors: Error[]; readonly logger: Logger } {
  const errors: Error[] = []
  return { errors, logger: loggerOf({ logger: { error: (error) => void errors.push(error) } }) }
}

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [
    "throws",
    () => {
      throw new Error("no")
    },
  ],
  ["rejects", () => Promise.reject(new Error("no"))],
  [
    "throws no error",
    () => {
      throw "no"
    },
  ],
])("a handler that %s is logged as EventError, and the next one runs", async (_, createUser) => {
  const { errors, logger } = capture()
  const next = vi.fn()
  const events = eventsOf(
    { providers: [], events: { createUser }, modules: [{ id: "m", on: { createUser: next } }] },
    logger,
  )
  await events.createUser({ user })
  expect(errors).toMatchObject([{ type: "EventError", cause: { event: "createUser" } }])
  expect(next).toHaveBeenCalledExactlyOnceWith({ user })
})

test("a handler that hangs delays the response by three seconds at most", async () => {
  vi.useFakeTimers()
  const events = eventsOf(
    { providers: [], events: { createUser: () => new Promise(() => undefined) } },
    capture().logger,
  )
  let done = false
  const work = Promise.resolve(events.createUser({ user })).then(() => {
    done = true
  })
  await vi.advanceTimersByTimeAsync(2_999)
  expect(done).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await work
  expect(done).toBe(true)
})

test("a handler that fails late is logged when it does", async () => {
  vi.useFakeTimers()
  const { errors, logger } = capture()
  const late = () => new Promise<void>((_, reject) => void setTimeout(() => reject(new Error("late")), 10_000))
  const work = eventsOf({ providers: [], events: { createUser: late } }, logger).createUser({ user })
  await vi.advanceTimersByTimeAsync(10_000)
  await work
  expect(errors).toMatchObject([{ type: "EventError" }])
})

test("a quick handler leaves no timer behind", async () => {
  vi.useFakeTimers()
  await eventsOf({ providers: [], events: { createUser: () => undefined } }, capture().logger).createUser({ user })
  expect(vi.getTimerCount()).toBe(0)
})

test("with `waitUntil` the response doesn't wait: the platform gets the promise", () => {
  const handed: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>) => void handed.push(work)
  const hang = () => new Promise<void>(() => undefined)
  expect(
    eventsOf({ providers: [], waitUntil, events: { createUser: hang } }, capture().logger).createUser({ user }),
  ).toBeUndefined()
  expect(handed).toHaveLength(1)
})

test("an error thrown by `waitUntil` is logged and not rethrown", () => {
  const { errors, logger } = capture()
  const waitUntil = () => {
    throw new Error("the request is over")
  }
  const events = eventsOf({ providers: [], waitUntil, events: { createUser: () => undefined } }, logger)
  expect(() => events.createUser({ user })).not.toThrow()
  expect(errors).toMatchObject([{ type: "EventError" }])
})

test("handlers keep their `this`", async () => {
  class Audit {
    readonly seen: unknown[] = []
    createUser(message: unknown): void {
      this.seen.push(message)
    }
  }
  const audit = new Audit()
  await eventsOf({ providers: [], events: audit }, capture().logger).createUser({ user })
  expect(audit.seen).toEqual([{ user }])
})
