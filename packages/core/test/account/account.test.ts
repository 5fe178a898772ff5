import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { describe, expect, test } from "vitest"
import { testAccountFunctions } from "./behaviors.js"
import { site } from "./setup.js"

describe("with the memory adapter", () => {
  testAccountFunctions(memoryAdapter)
})

test("without a session, no function does anything", async () => {
  const { account } = await site(memoryAdapter())
  await expect(account().overview()).rejects.toMatchObject({ type: "SessionRequired" })
  await expect(account().deleteAccount()).rejects.toMatchObject({ type: "SessionRequired" })
})
