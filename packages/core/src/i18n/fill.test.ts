import { describe, expect, test } from "vitest"
import { ago, duration, fill } from "./fill.js"

test("only known placeholders are replaced, and replacements aren't replaced again", () => {
  expect(fill("{a} {b} {toString} {a}", { a: "{b}", c: "x" })).toBe("{b} {b} {toString} {b}")
})

describe("a duration", () => {
  test.each([
    [30, "en", "1 minute"],
    [600, "en", "10 minutes"],
    [7199, "en", "119 minutes"],
    [7200, "en", "2 hours"],
    [86_400, "en", "24 hours"],
    [259_200, "en", "3 days"],
    [600, "de", "10 Minuten"],
  ])("of %i seconds in %s is %s", (seconds, language, text) => expect(duration(seconds, language)).toBe(text))
})

test.each([
  [20, "en", "1 minute ago"],
  [600, "de", "vor 10 Minuten"],
  [7200, "ru", "2 часа назад"],
])("%i seconds ago in %s is %s", (seconds, language, text) => expect(ago(seconds, language)).toBe(text))
