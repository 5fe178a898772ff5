import { unstorage, UnstorageAdapter } from "@latchkey/unstorage"
import { describe, expect, test } from "vitest"
import { createStorage, prefixStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"

describe("what isn't a storage is an error that says what to pass", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a promise of a storage", Promise.resolve(createStorage())],
    ["a map", new Map()],
    ["a driver", memoryDriver()],
  ])("%s", (_, storage) => {
    for (const create of [unstorage, UnstorageAdapter])
      expect(() => create(storage as never)).toThrow("Pass what `createStorage()` or `prefixStorage()` returns")
  })
})

test.each([
  ["a storage", createStorage()],
  ["a storage with a prefix", prefixStorage(createStorage(), "auth")],
])("%s is accepted", async (_, storage) => {
  for (const useItemRaw of [false, true]) expect(await unstorage(storage, { useItemRaw }).getUser("ada")).toBeNull()
})
