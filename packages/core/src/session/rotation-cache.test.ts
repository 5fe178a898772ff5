import { expect, test } from "vitest"
import { createRotationCache } from "./jwt-sessions.js"

test("the cache returns the latest claims for a token and evicts the entry written longest ago when it is full", () => {
  const { latestFor, remember } = createRotationCache(2)
  expect(latestFor("a")).toBeUndefined()
  remember("a", { sub: "1" })
  remember("b", { sub: "2" })
  remember("a", { sub: "3" })
  remember("c", { sub: "4" })
  expect([latestFor("a"), latestFor("b"), latestFor("c")]).toEqual([{ sub: "3" }, undefined, { sub: "4" }])
})
