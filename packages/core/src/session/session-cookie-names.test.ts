import { expect, test } from "vitest"
import { writeSessionCookie, clearSessionCookie, readSessionCookie } from "./session-cookie.js"

const cookie = { name: "s", options: { path: "/" } }
const expires = new Date(0)

test("only the name itself and its numbered parts are taken away", () => {
  const parts = ["s", "s.0", "s.10", "s.99"]
  const others = ["s.", "s.x", "s.x1", "s.1x", "s.100", "t.1", "s-1", "ss.1", "12"]
  const jar = new Map([...others, ...parts].map((name) => [name, "value"]))
  expect(clearSessionCookie(cookie, jar).map(({ name }) => name)).toEqual(parts)
  const written = writeSessionCookie(cookie, { token: "token", expires }, jar)
  expect(written.map(({ name }) => name).toSorted()).toEqual(parts)
})

test("a token that fills its parts is read without anything behind it", () => {
  const token = "x".repeat(2 * 3936)
  const jar = new Map(writeSessionCookie(cookie, { token, expires }, new Map()).map(({ name, value }) => [name, value]))
  expect([...jar.keys()]).toEqual(["s.0", "s.1"])
  expect(readSessionCookie(jar, "s")).toBe(token)
})

test("an empty cookie is no token: the parts beside it are, unless they are empty too", () => {
  expect(readSessionCookie(new Map([["s", ""]]), "s")).toBeUndefined()
  expect(readSessionCookie(new Map([["s.0", ""]]), "s")).toBeUndefined()
  const jar = new Map([
    ["s", ""],
    ["s.0", "ab"],
    ["s.1", "c"],
  ])
  expect(readSessionCookie(jar, "s")).toBe("abc")
})
