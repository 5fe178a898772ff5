import { dynamodb } from "@latchkey/dynamodb"
import { beforeAll, expect, test, vi } from "vitest"
import { type Running, startTable } from "./tables.js"

let running: Running
beforeAll(async () => {
  running = await startTable()
})

/** A process that runs `meanwhile` once, between its first read of a record and the write that depends on it. */
function interrupted(meanwhile: () => Promise<unknown>) {
  const client = running.open()
  let isDone = false
  const methods = new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== "function") return method
      return async (...input: unknown[]) => {
        const isWrite = name !== "get" && name !== "query"
        if (isWrite && !isDone) {
          isDone = true
          await meanwhile()
        }
        return Reflect.apply(method, target, input) as unknown
      }
    },
  })
  return dynamodb(methods).records
}

const record = { kind: "totp", key: "ada", owner: "1", index1: null, index2: null, expiresAt: null }

// `crypto.randomUUID` takes its bytes from a cache in the memory of the process.
test("of processes that were resumed from one snapshot, only one replaces a record", async () => {
  vi.spyOn(crypto, "randomUUID").mockReturnValue("01010101-0101-4101-8101-010101010101")
  const now = new Date("2026-01-01")
  const { records } = dynamodb(running.open())
  expect(await records.insert({ ...record, data: '"first"' }, now)).toBe(true)
  const replace = (data: string) => ({ ...record, data, version: 1 })
  const slow = interrupted(async () => expect(await records.swap(replace('"fast"'), now)).toBe(true))
  expect(await slow.swap(replace('"slow"'), now)).toBe(false)
  expect(await records.get("totp", "ada")).toMatchObject({ data: '"fast"', version: 2 })
})
