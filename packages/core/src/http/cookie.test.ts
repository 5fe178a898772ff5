import { describe, expect, test } from "vitest"
import type { CookieOptions } from "../model/cookie.js"
import { clearCookie, parseCookies, serializeCookie } from "./cookie.js"

describe("serializeCookie", () => {
  test("writes the attributes in the specified order", () => {
    const options: CookieOptions = {
      sameSite: "none",
      priority: "high",
      partitioned: true,
      secure: true,
      httpOnly: true,
      expires: new Date(0),
      path: "/a",
      domain: "app.test",
      maxAge: 5,
    }
    expect(serializeCookie({ name: "n", value: "a b|c", options })).toBe(
      "n=a%20b%7Cc; Max-Age=5; Domain=app.test; Path=/a; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=None",
    )
  })

  test.each([
    [{ sameSite: true }, "; SameSite=Strict"],
    [{ sameSite: "strict" }, "; SameSite=Strict"],
    [{ sameSite: "lax" }, "; SameSite=Lax"],
    [{ sameSite: false }, ""],
    [{ priority: "low" }, "; Priority=Low"],
    [{ priority: "medium" }, "; Priority=Medium"],
    [{ maxAge: 0 }, "; Max-Age=0"],
    [{}, ""],
  ] satisfies [CookieOptions, string][])("%o is written as %j", (options, text) => {
    expect(serializeCookie({ name: "n", value: "", options })).toBe(`n=${text}`)
  })

  test.each([
    ["a name with a space", "a b", "", {}],
    ["a name with =", "a=b", "", {}],
    ["no name", "", "", {}],
    ["a value that encode leaves raw", "n", "a;b", { encode: String }],
    ["a value with a line feed", "n", "a\nb", { encode: String }],
    ["a domain with ;", "n", "", { domain: "a.test; Path=/" }],
    ["a path with ;", "n", "", { path: "/; Domain=x" }],
    ["a path with a line feed", "n", "", { path: "/\n" }],
    ["a fraction as maxAge", "n", "", { maxAge: 1.5 }],
    ["NaN as maxAge", "n", "", { maxAge: Number.NaN }],
    ["an invalid date", "n", "", { expires: new Date(Number.NaN) }],
    ["an unknown sameSite", "n", "", JSON.parse('{"sameSite":"some"}')],
    ["an unknown priority", "n", "", JSON.parse('{"priority":"urgent"}')],
  ])("%s is a TypeError that does not show the value", (_, name, value, options) => {
    expect(() => serializeCookie({ name, value, options })).toThrow(TypeError)
  })
})

test("a cookie is cleared with the attributes it was set with, but for its own end", () => {
  const cookie = { name: "n", options: { path: "/a", secure: true, expires: new Date(9), maxAge: 9 } }
  expect(clearCookie(cookie)).toEqual({ name: "n", value: "", options: { path: "/a", secure: true, maxAge: 0 } })
})

test.each([
  ["a=1; b=2", { a: "1", b: "2" }],
  ["a=1; a=2", { a: "1" }],
  ["a=%7C", { a: "|" }],
  ["a=%E0%A4%A", { a: "%E0%A4%A" }],
  ['a="x y"', { a: "x y" }],
  ["a=b=c", { a: "b=c" }],
  ["a;=b;;  c = d ", { c: "d" }],
  ["", {}],
])("the header %j is read as %o", (header, expected) => {
  expect(Object.fromEntries(parseCookies(header))).toEqual(expected)
})
