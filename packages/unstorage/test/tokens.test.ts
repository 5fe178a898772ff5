import { UnstorageAdapter as PublishedAdapter } from "@auth/unstorage-adapter"
import type { Adapter } from "@latchkey/core/adapters"
import { unstorage } from "@latchkey/unstorage"
import { createStorage, type Storage } from "unstorage"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { fileStorage, redisStorage } from "./storages.js"

const expires = new Date(1_900_000_000_123)

const identifiers = [
  "ada@example.com",
  "ada@example.com:x",
  "ada@example.com/y",
  "ada?x@example.com",
  "ada?y@example.com",
  "a*a@example.com",
  "[a]da@example.com",
  "ada\\b@example.com",
  "x".repeat(300),
  `${"x".repeat(300)}y`,
  "exact",
  "exact:x",
  "..",
  "",
]

function deletesTokens(name: string, open: () => Promise<Storage> | Storage): void {
  test.each(identifiers)(`${name}: the tokens for %j are deleted, and no others`, async (identifier) => {
    const adapter = unstorage(await open())
    const tokens = ["t", "a/b", "a?b", "x".repeat(300)]
    for (const each of identifiers)
      for (const token of tokens) await adapter.createVerificationToken({ identifier: each, token, expires })
    await adapter.deleteVerificationTokens(identifier)
    for (const each of identifiers) {
      for (const token of tokens) {
        const used = await adapter.useVerificationToken({ identifier: each, token })
        expect(used).toEqual(each === identifier ? null : { identifier: each, token, expires })
      }
    }
  })

  test.each(["ada@example.com", "ada/x@example.com", "ada:x@example.com", "ada?x@example.com"])(
    `${name}: the tokens of @auth/unstorage-adapter for %j are deleted`,
    async (identifier) => {
      const storage = await open()
      // Its types come from `@auth/core`.
      const old = PublishedAdapter(storage) as unknown as Required<Adapter>
      for (const token of ["one", "two"]) await old.createVerificationToken({ identifier, token, expires })
      await unstorage(storage).deleteVerificationTokens(identifier)
      for (const token of ["one", "two"]) expect(await old.useVerificationToken({ identifier, token })).toBeNull()
    },
  )
}

deletesTokens("in memory", () => createStorage())
deletesTokens("in files", fileStorage)
describe.skipIf(inject("redis") === undefined)("on a Redis server", () => {
  deletesTokens("in Redis", () => {
    const storage = redisStorage(crypto.randomUUID())
    onTestFinished(() => storage.dispose())
    return storage
  })
})

test("deleting the tokens of one email doesn't read those of others", async () => {
  const storage = createStorage()
  const adapter = unstorage(storage)
  for (let index = 0; index < 200; index += 1)
    await adapter.createVerificationToken({ identifier: `${index}@example.com`, token: "t", expires: new Date(0) })
  await adapter.createVerificationToken({ identifier: "ada@example.com", token: "t", expires })
  let reads = 0
  const counted = new Proxy(storage, {
    get(target, name) {
      if (name === "getItem") reads += 1
      return Reflect.get(target, name) as unknown
    },
  })
  await unstorage(counted).deleteVerificationTokens("ada@example.com")
  expect(reads).toBe(3)
  expect(await adapter.useVerificationToken({ identifier: "ada@example.com", token: "t" })).toBeNull()
})
