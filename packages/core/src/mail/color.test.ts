import { expect, test } from "vitest"
import { buttonColors, contrast, mailColor } from "./color.js"

test.each(["#fff", "#346DF1", " navy ", "rgb(1,2,3)", "rgb(1, 2, 3)"])(
  "%j is a color that email clients support",
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
])("%j isn't a supported color", (value) => expect(mailColor(value)).toBeUndefined())

test("contrast follows WCAG", () => {
  expect(contrast("#000", "#ffffff")).toBeCloseTo(21, 5)
  expect(contrast("#777", "#fff")).toBeCloseTo(4.478, 2)
  expect(contrast("rgb(119,119,119)", "White")).toBeCloseTo(4.478, 2)
  expect(contrast("tomato", "#fff")).toBeUndefined()
})

test.each([
  ["nothing", undefined, undefined, "#346df1", "#fff"],
  ["empty values", "", "", "#346df1", "#fff"],
  ["invalid colors", "url(//evil)", "}", "#346df1", "#fff"],
  ["a light background", "#ffd400", undefined, "#ffd400", "#000"],
  ["a light background with light text", "#ffd400", "#fff", "#ffd400", "#000"],
  ["a dark background with dark text", "#102030", "#000", "#102030", "#fff"],
  ["colors with enough contrast", "#102030", "#ffe", "#102030", "#ffe"],
  ["only a color name", "gold", undefined, "#346df1", "#fff"],
  ["a color name with a text color", "gold", "#222", "gold", "#222"],
])("with %s the button is readable", (_title, brand, text, background, color) => {
  expect(buttonColors(brand, text)).toEqual({ background, text: color })
})
