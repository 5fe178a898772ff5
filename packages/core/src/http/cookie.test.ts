import { describe, expect, test } from "vitest"
import type { CookieOptions } from "../model/cookie.js"
import { clearCookie, parseCookies, serializeCookie, setCookie } from "./cookie.js"

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
    [{ path: "" }, "; Path="],
    [{ path: " /a:<=>?~" }, "; Path= /a:<=>?~"],
    [{ domain: ".a-b.c3.test" }, "; Domain=.a-b.c3.test"],
    [{ domain: "x.Y" }, "; Domain=x.Y"],
    [{ httpOnly: false, secure: false, partitioned: false }, ""],
    [{}, ""],
  ] satisfies [CookieOptions, string][])("%o is written as %j", (options, text) => {
    expect(serializeCookie({ name: "n", value: "", options })).toBe(`n=${text}`)
  })

  test("accepts every character that RFC 6265 allows in names and values", () => {
    const name = "!#$%&'*+-.^_`|~09AZaz"
    const value = "!#$%&'()*+-./09:<=>?@AZ[]^_`az{|}~"
    expect(serializeCookie({ name, value, options: { encode: String } })).toBe(`${name}=${value}`)
  })

  test.each([
    ["a name with a space", "a b", "", {}, "name"],
    ["a name with =", "a=b", "", {}, "name"],
    ["a name that begins with a space", " a", "", {}, "name"],
    ["a name that ends with a line feed", "a\n", "", {}, "name"],
    ["no name", "", "", {}, "name"],
    ["a value that encode leaves raw", "n", "secret;b", { encode: String }, "value"],
    ["a value with a line feed", "n", "secret\nb", { encode: String }, "value"],
    ["a value that begins with a space", "n", " secret", { encode: String }, "value"],
    ["a value that ends with a comma", "n", "secret,", { encode: String }, "value"],
    ["a domain with ;", "n", "", { domain: "a.test; Path=/" }, "domain"],
    ["a domain with a space in front", "n", "", { domain: " a.test" }, "domain"],
    ["a domain that begins with -", "n", "", { domain: "-a.test" }, "domain"],
    ["a domain with a label that ends with -", "n", "", { domain: "a-.test" }, "domain"],
    ["a domain that ends with -", "n", "", { domain: "a.test-" }, "domain"],
    ["a domain with two dots", "n", "", { domain: "a..test" }, "domain"],
    ["a domain that ends with a dot", "n", "", { domain: "a.test." }, "domain"],
    ["a domain of two dots and a name", "n", "", { domain: "..test" }, "domain"],
    ["no domain", "n", "", { domain: "" }, "domain"],
    ["a path with ;", "n", "", { path: "/; Domain=x" }, "path"],
    ["a path with a line feed", "n", "", { path: "/\n" }, "path"],
    ["a path that begins with ;", "n", "", { path: ";/" }, "path"],
    ["a path with another alphabet", "n", "", { path: "/ü" }, "path"],
    ["a fraction as maxAge", "n", "", { maxAge: 1.5 }, "maxAge (whole seconds)"],
    ["NaN as maxAge", "n", "", { maxAge: Number.NaN }, "maxAge (whole seconds)"],
    ["an invalid date", "n", "", { expires: new Date(Number.NaN) }, "expires"],
    ["an unknown sameSite", "n", "", JSON.parse('{"sameSite":"some"}'), "sameSite"],
    ["an unknown priority", "n", "", JSON.parse('{"priority":"urgent"}'), "priority"],
  ])(
    "%s throws a TypeError that names the invalid part and doesn't contain the value",
    (_, name, value, options, part) => {
      const write = () => serializeCookie({ name, value, options })
      expect(write).toThrow(TypeError)
      const message = `The cookie ${JSON.stringify(name)} has an invalid ${part}. Correct it in \`cookies\``
      expect(write).toThrow(new TypeError(message))
    },
  )
})

test("a cookie is cleared with the attributes it was set with, except for its expiry", () => {
  const cookie = { name: "n", options: { path: "/a", secure: true, expires: new Date(9), maxAge: 9 } }
  expect(clearCookie(cookie)).toEqual({ name: "n", value: "", options: { path: "/a", secure: true, maxAge: 0 } })
})

test("a cookie is set with its configured options, and a given lifetime overrides theirs", () => {
  const cookie = { name: "n", options: { path: "/a", maxAge: 9 } }
  expect(setCookie(cookie, "v")).toEqual({ name: "n", value: "v", options: { path: "/a", maxAge: 9 } })
  expect(setCookie(cookie, "v", { maxAge: 5 })).toEqual({ name: "n", value: "v", options: { path: "/a", maxAge: 5 } })
  expect(clearCookie(cookie, "n.1").name).toBe("n.1")
})

test("a request without a cookie header has no cookies", () => {
  expect(parseCookies(null).size).toBe(0)
})

test.each([
  ["a=1; b=2", { a: "1", b: "2" }],
  ["a=1;b=2;", { a: "1", b: "2" }],
  ["\ta\t=\t1\t;b=\t\t", { a: "1", b: "" }],
  [" = 1; =2;\t=3; a=4", { a: "4" }],
  ["\u00a0a=1; b=\u00a02", { "\u00a0a": "1", b: "\u00a02" }],
  ["a; b; c=1; d", { c: "1" }],
  ['a="; b=""; c="""; d="x; e=x"', { a: '"', b: "", c: '"', d: '"x', e: 'x"' }],
  ["a=%; b=%20", { a: "%", b: " " }],
  ["a=1; a=2", { a: "1" }],
  ["a=%7C", { a: "|" }],
  ["a=%E0%A4%A", { a: "%E0%A4%A" }],
  ['a="x y"', { a: "x y" }],
  ["a=b=c", { a: "b=c" }],
  ["a;=b;;  c = d ", { c: "d" }],
  ["", {}],
])("the header %j parses to %o", (header, expected) => {
  expect(Object.fromEntries(parseCookies(header))).toEqual(expected)
})
