import { expect, test } from "vitest"
import { counting } from "../../../tests/counter.js"
import type { ConfigQrl, RequestEventCommon } from "../src/model.js"
import { modules } from "../src/server.js"

test("a loader calls a function of a module that the configuration function returns", async () => {
  const config = counting()
  // Outside of a build, a QRL is the function itself.
  const configQrl = (async () => config) as unknown as ConfigQrl
  const url = new URL("https://app.test/")
  const ev = { env: { get: () => undefined }, url, request: new Request(url) } as unknown as RequestEventCommon
  expect(await modules(configQrl, ev)).toEqual({ counter: { add: expect.any(Function) } })
  const { counter } = (await modules(configQrl, ev)) as { counter: { add(name: string): Promise<number> } }
  expect(await counter.add("visits")).toBe(1)
})
