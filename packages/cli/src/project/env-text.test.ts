import { parseEnv } from "node:util"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { assign, variablesIn, withVariables } from "./env-text.js"

const settings = { numRuns: Number(process.env["FUZZ_RUNS"] ?? 500), seed: Number(process.env["FUZZ_SEED"] ?? 1) }
/** At most two kinds of quotes: an env file can't hold a value with all three. */
const values = fc
  .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 60 })
  .filter((value) => !["'", '"', "`"].every((mark) => value.includes(mark)) && value.trim() === value)
  .filter((value) => !(value.includes("\\") && value.includes("'") && value.includes("`")))

describe("a written value is read back unchanged", () => {
  test("by Node", () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(parseEnv(assign("KEY", value, { expands: false }))["KEY"]).toBe(value)
      }),
      settings,
    )
  })

  test("by dotenv", () => {
    fc.assert(
      fc.property(values, values, (one, two) => {
        const text = withVariables("", new Map([["A", assign("A", one, { expands: false })]]))
        const both = withVariables(text, new Map([["B", assign("B", two, { expands: false })]]))
        expect([...variablesIn(both)]).toEqual([
          ["A", one],
          ["B", two],
        ])
        const again = withVariables(both, new Map([["A", "A=1"]]))
        expect([...variablesIn(again)]).toEqual([
          ["A", "1"],
          ["B", two],
        ])
      }),
      settings,
    )
  })

  test("with several lines, like a private key", () => {
    const key = "-----BEGIN PRIVATE KEY-----\nMIGT\nabc=\n-----END PRIVATE KEY-----"
    const line = assign("KEY", key, { expands: true })
    expect(line).not.toContain("\n")
    expect(variablesIn(line).get("KEY")).toBe(key)
    expect(parseEnv(line)["KEY"]).toBe(key)
  })
})

describe("setting a variable", () => {
  const set = (text: string, value = "new") =>
    withVariables(text, new Map([["KEY", assign("KEY", value, { expands: false })]]))

  test.each([
    ["in an empty file", "", 'KEY="new"\n'],
    ["after a last line without a newline", "A=1", 'A=1\nKEY="new"\n'],
    ["in its place", "A=1\nKEY=old # why\nB=2\n", 'A=1\nKEY="new"\nB=2\n'],
    ["with export", "export KEY='old'\n", 'KEY="new"\n'],
    ["that the file sets twice", "KEY=1\nKEY=2\n", 'KEY="new"\nKEY="new"\n'],
    ["that spans several lines", 'KEY="a\nb"\nB=2\n', 'KEY="new"\nB=2\n'],
    ["next to a comment that looks like it", "# KEY=old\n", '# KEY=old\nKEY="new"\n'],
    ["next to a name that ends the same way", "MY_KEY=1\n", 'MY_KEY=1\nKEY="new"\n'],
    ["next to a value that contains such a line", 'A="\nKEY=no\n"\n', 'A="\nKEY=no\n"\nKEY="new"\n'],
    ["with Windows line endings", "A=1\r\n", 'A=1\r\nKEY="new"\r\n'],
  ])("%s", (_, before, after) => {
    expect(set(before)).toBe(after)
  })

  test("changes nothing else in the file", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("A=1", "# x", "", "  B = 'two' # 2", 'C="a\nb"', "junk", "\r"), { maxLength: 8 }),
        (lines) => {
          const before = lines.join("\n")
          const after = set(before)
          expect(after.startsWith(before)).toBe(true)
          expect(variablesIn(after).get("KEY")).toBe("new")
          expect(set(after)).toBe(after)
        },
      ),
      settings,
    )
  })
})
