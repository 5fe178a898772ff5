import { expect, test } from "vitest"
import { codeAt, stepAt, stepOf, toBase32 } from "../src/codes.js"

const seed = toBase32(new TextEncoder().encode("12345678901234567890"))

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code at %i s is that of RFC 6238, appendix B", (seconds, code) => {
  expect(codeAt(seed, stepAt(seconds * 1000))).toBe(code)
})

test("a code is accepted one step before and after, and nothing else is", () => {
  const now = 59_000
  expect([0, 1, 2].map((step) => stepOf(seed, codeAt(seed, step), now))).toEqual([0, 1, 2])
  expect(stepOf(seed, codeAt(seed, 3), now)).toBeUndefined()
  expect(stepOf(seed, "２８７０８２", now)).toBeUndefined()
})
