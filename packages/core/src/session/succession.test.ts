import { expect, test } from "vitest"
import { sharedSuccession, succession } from "./succession.js"

test("what followed a token is known until newer tokens need the room", () => {
  const { after, keep } = succession(2)
  expect(after("a")).toBeUndefined()
  keep("a", { sub: "1" })
  keep("b", { sub: "2" })
  keep("a", { sub: "3" })
  keep("c", { sub: "4" })
  expect([after("a"), after("b"), after("c")]).toEqual([{ sub: "3" }, undefined, { sub: "4" }])
})

test("there is one for the whole process", () => {
  sharedSuccession().keep("shared", { sub: "1" })
  expect(sharedSuccession().after("shared")).toEqual({ sub: "1" })
  expect(succession().after("shared")).toBeUndefined()
})
