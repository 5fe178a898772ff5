import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { features } from "../engine/features.js"
import { ErrorPageLoop } from "../errors.js"
import { misconfigured } from "./misconfigured.js"
import { toResponse } from "./respond.js"

const origin = "https://app.test"
const cause = new TypeError("no secret")

async function answer(path: string, error?: string, init: RequestInit = {}, why: unknown = cause) {
  const log = captureLog()
  const config = { logger: log.logger, ...(error !== undefined && { pages: { error } }) }
  return {
    log,
    response: toResponse(await misconfigured(new Request(origin + path, init), config, why, features.pages)),
  }
}

describe("an invalid configuration", () => {
  test.each<[string, string, RequestInit?]>([
    ["a request of a program", "/auth/session"],
    ["a request below the route of a page", "/auth/signin/op"],
    ["a request outside the base path", "/"],
    ["a form", "/auth/signin", { method: "POST" }],
    ["a HEAD request", "/auth/signin", { method: "HEAD" }],
  ])("answers %s with JSON, even with a custom error page", async (_, path, init = {}) => {
    const { response, log } = await answer(path, "/oops", init)
    expect([response.status, response.headers.get("content-type")]).toEqual([500, "application/json"])
    expect(await response.text()).toContain("There is a problem with the server configuration")
    expect(response.headers.has("set-cookie")).toBe(false)
    expect(log.entries).toEqual([])
  })

  test.each(["signin", "signout", "error", "verify-request", "signin//"])(
    "answers GET %s with the built-in error page",
    async (path) => {
      for (const page of [undefined, "https://["]) {
        const { response } = await answer(`/auth/${path}`, page)
        expect([response.status, response.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"])
        const html = await response.text()
        expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/)
        expect(response.headers.has("set-cookie")).toBe(false)
        expect(html).toContain("<h1>Server error</h1>")
        expect(html).toContain("There is a problem with the server configuration.")
      }
    },
  )

  test.each([
    ["/oops", "", `${origin}/oops?error=Configuration`],
    ["/oops?error=x&a=b", "?callbackUrl=/a", `${origin}/oops?error=Configuration&a=b`],
    ["/oops", `?callbackUrl=${origin}/a/oops`, `${origin}/oops?error=Configuration`],
    ["/oops", "?callbackUrl=/a/oops", `${origin}/oops?error=Configuration`],
    ["/oops", "?callbackUrl=", `${origin}/oops?error=Configuration`],
    ["https://status.test/x", "?callbackUrl=/y", "https://status.test/x?error=Configuration"],
  ])("redirects to the custom error page %s for the query %j", async (page, query, expected) => {
    const { response, log } = await answer(`/auth/signin${query}`, page)
    expect([response.status, response.headers.get("location"), log.entries]).toEqual([302, expected, []])
  })

  test.each<[string, string, unknown]>([
    ["/oops", "/oops?error=Configuration", cause],
    ["/oops", `${origin}/oops?error=Configuration`, cause],
    ["/oops?a=b", "/oops", "why"],
    ["https://status.test/x", "https://status.test/x?a=b", cause],
  ])(
    "shows the built-in page and logs a loop when the error page %s redirects to sign-in with the callback URL %s",
    async (page, back, why) => {
      const { response, log } = await answer(`/auth/signin?callbackUrl=${encodeURIComponent(back)}`, page, {}, why)
      expect(response.status).toBe(500)
      expect(await response.text()).toContain("<h1>Server error</h1>")
      const message = "The error page itself requires sign-in. Make it public"
      expect(log.entries).toMatchObject([{ level: "error", message }])
      const [loop] = log.entries.map(({ detail }) => detail)
      expect(loop).toBeInstanceOf(ErrorPageLoop)
      expect(loop).toMatchObject({ cause: { err: { message: why === cause ? "no secret" : "why" } } })
    },
  )
})
