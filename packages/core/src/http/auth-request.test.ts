import { describe, expect, test } from "vitest"
import { parseRoute, requestedCallbackUrl, params, textOf } from "./auth-request.js"

describe("the route of a request", () => {
  test.each([
    ["/auth/session", "session", undefined],
    ["/auth/session/", "session", undefined],
    ["/auth/signin/op", "signin", "op"],
    ["/auth/signin/op/", "signin", "op"],
    ["/auth/signin/undefined", "signin", undefined],
    ["/auth/undefined/op", "undefined", "op"],
  ])("for %s is %s with the provider %s", (pathname, action, providerId) => {
    expect(parseRoute("/auth", pathname)).toEqual({ action, providerId })
  })

  test.each([
    "/",
    "/auth",
    "/auth/",
    "/auth//",
    "/auth//session",
    "/auth/session//",
    "/auth/signin//op",
    "/auth/signin/op/x",
    "/authentic/session",
    "/x/auth/session",
    "/AUTH/session",
  ])("doesn't exist for %s", (pathname) => {
    expect(parseRoute("/auth", pathname)).toBeUndefined()
  })

  test("is found below an empty or a nested base path", () => {
    expect(parseRoute("", "/session")).toEqual({ action: "session", providerId: undefined })
    expect(parseRoute("/api/auth", "/api/auth/csrf")).toEqual({ action: "csrf", providerId: undefined })
  })
})

test("the last parameter of the same name wins, and `__proto__` is ignored", () => {
  const read = params(new URLSearchParams("a=1&__proto__=x&a=2&constructor=3"))
  expect(Object.getPrototypeOf(read)).toBeNull()
  expect({ ...read }).toEqual({ a: "2", constructor: "3" })
  expect(Object.keys(read)).toEqual(["a", "constructor"])
})

test("the callback URL comes from the body, or from the query when the body has none", () => {
  expect([textOf("x"), textOf(""), textOf(7), textOf(undefined)]).toEqual(["x", undefined, undefined, undefined])
  const query = { callbackUrl: "/query" }
  expect(requestedCallbackUrl({ body: { callbackUrl: "/body" }, query })).toBe("/body")
  expect(requestedCallbackUrl({ body: { callbackUrl: "" }, query })).toBe("/query")
  expect(requestedCallbackUrl({ body: { callbackUrl: ["/body"] }, query })).toBe("/query")
  expect(requestedCallbackUrl({ body: {}, query: {} })).toBeUndefined()
})
