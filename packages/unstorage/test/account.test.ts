import { unstorage } from "@latchkey/unstorage"
import { createStorage, type Storage } from "unstorage"
import { afterAll, describe, inject } from "vitest"
import { testAccountFunctions } from "../../core/test/account/behaviors.js"
import { testFirstSignIns } from "../../core/test/flows/signin/first-sign-ins.js"
import { redisStorage } from "./storages.js"

describe("account functions with unstorage", () => {
  testAccountFunctions(() => unstorage(createStorage()))
})

describe.skipIf(inject("redis") === undefined)("first sign-ins with unstorage in Redis", () => {
  const opened: Storage[] = []
  afterAll(async () => {
    for (const storage of opened) await storage.dispose()
  })
  testFirstSignIns(async () => {
    const base = `first-${crypto.randomUUID()}`
    return () => {
      const storage = redisStorage(base)
      opened.push(storage)
      return unstorage(storage)
    }
  })
})
