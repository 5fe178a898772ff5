import fc from "fast-check"
import { expect, test } from "vitest"
import { colorOf } from "./color.js"

test.each([
  "rebeccapurple",
  "#fff",
  "#ABCD",
  "#346df1",
  "#346df180",
  "rgb(1, 2, 3)",
  "rgba(1,2,3,.5)",
  "rgb(1 2 3 / 50%)",
  "hsl(120deg 100% 25%)",
  "oklch(0.7 0.1 -20 / none)",
])("%s is a color", (color) => expect(colorOf(color)).toBe(color))

test.each([
  "",
  "#ff",
  "#fffff",
  "#ggg",
  "red;background:url(//evil)",
  "red}body{display:none",
  "</style>",
  "url(//evil)",
  "var(--x)",
  "rgb(1,2)",
  "rgb(1,2,3",
  "rgb(url(x),2,3)",
  "expression(1)",
  "re\\64",
  "red/**/",
  `rgb(1,2,${"3".repeat(70)})`,
  null,
  7,
])("%j isn't a color", (value) => expect(colorOf(value)).toBeUndefined())

test("text with other CSS syntax isn't a color", () => {
  const pieces = [
    "red",
    "#fff",
    "rgb(",
    "1",
    ",",
    ")",
    ";",
    "}",
    "{",
    "<",
    "\\",
    '"',
    "'",
    ":",
    "@",
    "/*",
    "url(",
    "\n",
  ]
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...pieces)).map((all) => all.join("")),
  )
  fc.assert(
    fc.property(text, (value) => {
      expect(colorOf(value) ?? "").toMatch(/^[\w#(),.%/ +-]*$/)
    }),
    { numRuns: 2000 },
  )
})
