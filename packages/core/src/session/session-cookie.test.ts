import fc from "fast-check"
import { expect, test } from "vitest"
import { writeSessionCookie, clearSessionCookie, readSessionCookie } from "./session-cookie.js"

const cookie = { name: "s", options: { path: "/" } }
const expires = new Date(0)

function after(present: ReadonlyMap<string, string>, token: string): Map<string, string> {
  const jar = new Map(present)
  for (const { name, value, options } of writeSessionCookie(cookie, { token, expires }, present)) {
    if (options.maxAge === 0) jar.delete(name)
    else jar.set(name, value)
  }
  return jar
}

test("after each write the browser holds only the chunks of the last token, whatever it held before", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 5 * 3936 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lengths, (lengths) => {
      let jar = new Map([["s-other", "foreign"]])
      for (const [index, length] of lengths.entries()) {
        const token = String.fromCharCode(97 + index).repeat(length)
        jar = after(jar, token)
        expect(readSessionCookie(jar, "s")).toBe(token)
        expect(jar.size).toBe(1 + Math.ceil(length / 3936))
      }
      for (const { name } of clearSessionCookie(cookie, jar)) jar.delete(name)
      expect([...jar.keys()]).toEqual(["s-other"])
    }),
    { numRuns: 100 },
  )
})

test.each([
  [3936, ["s"]],
  [3937, ["s.0", "s.1"]],
  [7872, ["s.0", "s.1"]],
  [7873, ["s.0", "s.1", "s.2"]],
])("a token of %i characters is written to the cookies %j", (length, names) => {
  expect(writeSessionCookie(cookie, { token: "x".repeat(length), expires }, new Map()).map(({ name }) => name)).toEqual(
    names,
  )
})
