import { isDate } from "@latchkey/core/adapters"
import { expect, test } from "vitest"

test.each([
  ["2030-01-01T00:00:00.000Z", true],
  ["2030-01-01T00:00Z", true],
  ["2030-01-01T00:00:00+02:00", true],
  ["2030-01-01T00:00:00.000", false],
  ["2030-01-01", false],
  ["2030-99-01T00:00:00Z", false],
  ["tomorrow", false],
  ["", false],
  [1_893_456_000_000, false],
  [new Date(0), false],
  [null, false],
])("isDate(%j) is %j: only an ISO 8601 date-time with a time zone is a date", (value, expected) => {
  expect(isDate(value)).toBe(expected)
})
