import { captureLog } from "@latchkey/testing"
import { expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import type { AuthRequest } from "../model/http.js"
import { toAuthRequest, withRequest } from "./auth-request.js"

function incoming(method: AuthRequest["method"], body: AuthRequest["body"] = {}): AuthRequest {
  const auth = compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: "https://app.test",
    providers: [],
    logger: captureLog().logger,
  })
  const url = new URL("http://inner.test/auth/signin/op?a=b%20c")
  const headers = new Headers({ "accept-language": "de" })
  return toAuthRequest(
    auth,
    { headers, origin: url.origin },
    { url, method, body, route: { action: "signin", providerId: "op" } },
  )
}

test("an event message has a non-enumerable `request` that is created once", () => {
  const told = withRequest({ user: "ada" }, incoming("GET"))
  expect(Object.keys(told)).toEqual(["user"])
  const { request } = told
  expect(request).toBeInstanceOf(Request)
  expect(told.request).toBe(request)
})

test.each(["GET", "HEAD", "POST"] as const)(
  "the `request` of a %s has its public URL, headers and body",
  async (method) => {
    const { request } = withRequest({}, incoming(method, { name: "ada", data: { x: 1 } }))
    expect([request.method, request.url]).toEqual([method, "https://app.test/auth/signin/op?a=b%20c"])
    expect(request.headers.get("accept-language")).toBe("de")
    expect(await request.text()).toBe(method === "POST" ? '{"name":"ada","data":{"x":1}}' : "")
  },
)
