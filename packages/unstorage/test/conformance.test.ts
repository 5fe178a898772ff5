import { rm } from "node:fs/promises"
import { allCapabilities, testAdapter } from "@latchkey/adapter-kit"
import { UnstorageAdapter, unstorage } from "@latchkey/unstorage"
import { createStorage, prefixStorage, type Storage } from "unstorage"
import fsDriver from "unstorage/drivers/fs"
import lruCacheDriver from "unstorage/drivers/lru-cache"
import { afterAll, describe, inject, test } from "vitest"
import { redisStorage, temporaryFolder } from "./storages.js"

const capabilities = allCapabilities.filter((capability) => capability !== "transaction")

function conforms(name: string, open: () => Storage, options: Parameters<typeof unstorage>[1] = {}): void {
  const opened: Storage[] = []
  const create = () => {
    const storage = open()
    opened.push(storage)
    return unstorage(storage, options)
  }
  testAdapter({ name, create, capabilities, webauthn: true }, { describe, test })
  afterAll(async () => {
    for (const storage of opened) await storage.dispose()
  })
}

const folder = await temporaryFolder()
afterAll(() => rm(folder, { recursive: true, force: true }))

conforms("in memory", () => createStorage())
conforms("in memory, with raw items", () => createStorage(), { useItemRaw: true })
conforms("in an LRU cache, with other prefixes", () => createStorage({ driver: lruCacheDriver({ max: 10_000 }) }), {
  baseKeyPrefix: "app/",
  sessionKeyPrefix: "s-",
  userKeyPrefix: "u-",
})
conforms("in files", () => createStorage({ driver: fsDriver({ base: folder }) }))

describe.skipIf(inject("redis") === undefined)("on a Redis server", () => {
  conforms("in Redis", () => redisStorage("unstorage-conformance"))
  conforms("in Redis, in a storage with a prefix", () => prefixStorage(redisStorage("unstorage-conformance"), "app"))
})

// The name that published applications import.
testAdapter(
  { name: "UnstorageAdapter", create: () => UnstorageAdapter(createStorage()), capabilities, webauthn: true },
  { describe, test },
)
