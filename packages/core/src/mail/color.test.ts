import { expect, test } from "vitest"
import { buttonColors, contrast, mailColor } from "./color.js"

test.each(["#fff", "#346DF1", " navy ", "rgb(1,2,3)", "rgb(1, 2, 3)"])(
  "%j is a colour that mail programs know",
  (color) => {
    expect(mailColor(color)).toBe(color.trim())
  },
)

test.each([
  "",
  "#ff",
  "#ffff",
  "oklch(0.7 0.1 20)",
  "red;background:url(//evil)",
  '"><script>',
  "url(//evil)",
  "rgb(1,2)",
  7,
  null,
])("%j is none", (value) => expect(mailColor(value)).toBeUndefined())

test("contrast is that of WCAG", () => {
  expect(contrast("#000", "#ffffff")).toBeCloseTo(21, 5)
  expect(contrast("#777", "#fff")).toBeCloseTo(4.478, 2)
  expect(contrast("rgb(119,119,119)", "White")).toBeCloseTo(4.478, 2)
  expect(contrast("tomato", "#fff")).toBeUndefined()
})

test.each([
  ["nothing", undefined, undefined, "#346df1", "#fff"],
  ["empty texts", "", "", "#346df1", "#fff"],
  ["what is no colour", "url(//evil)", "}", "#346df1", "#fff"],
  ["a light brand", "#ffd400", undefined, "#ffd400", "#000"],
  ["a light brand with text that nobody could read", "#ffd400", "#fff", "#ffd400", "#000"],
  ["a dark brand with dark text", "#102030", "#000", "#102030", "#fff"],
  ["colours that go together", "#102030", "#ffe", "#102030", "#ffe"],
  ["a name alone, whose brightness is not known", "gold", undefined, "#346df1", "#fff"],
  ["a name with a text colour for it", "gold", "#222", "gold", "#222"],
])("of %s the button is readable", (_title, brand, text, background, color) => {
  expect(buttonColors(brand, text)).toEqual({ background, text: color })
})
