import { describe, expect, test } from "vitest"
import { duration } from "../i18n/duration.js"
import { english } from "../i18n/languages/en.js"
import { fill } from "../i18n/fill.js"
import { languageFor } from "./texts.js"

const languages = { de: { button: "Anmelden" }, "pt-BR": { button: "Entrar" }, he: { button: "כניסה" } }

test.each([
  [null, "en"],
  ["", "en"],
  ["fr", "en"],
  ["de", "de"],
  ["DE-at", "de"],
  ["de-CH;q=0.4, pt-BR;q=0.5", "pt-BR"],
  ["pt", "pt-BR"],
  ["fr, en;q=0.9, de;q=0.8", "en"],
  ["en-GB, de", "en"],
  ["fr;q=1, de;q=0", "en"],
  ["de;q=banana, he", "he"],
  ["__proto__, constructor, toString", "en"],
  [`${"x,".repeat(300)}de`, "en"],
])("for the header %j the language is %s", (accept, tag) => expect(languageFor(accept, languages).tag).toBe(tag))

test("missing translations stay English, and Hebrew is written right to left", () => {
  const { texts, direction } = languageFor("de", languages)
  expect(texts).toEqual({ ...english.mail.signIn, button: "Anmelden" })
  expect(direction).toBe("ltr")
  expect(languageFor("he", languages).direction).toBe("rtl")
})

test("a language tag can have an underscore", () => {
  expect(languageFor("pt-br", { pt_BR: {} }).tag).toBe("pt-BR")
})

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
