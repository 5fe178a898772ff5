import { Auth } from "@latchkey/core"
import type { Module } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { code, errors, siteOf } from "./setup.js"

type Outcome = Awaited<ReturnType<NonNullable<Module["routes"]>[string]["handle"]>>

const json = (body: unknown): Outcome => ({ kind: "json", body, cookies: [] })

/** `seen` stays outside: a configuration is frozen to the last leaf. */
const counter = (seen: unknown[], csrf?: boolean): Module => {
  const post = {
    ...(csrf !== undefined && { csrf }),
    handle: (_: unknown, { body }: { body: object }) => {
      seen.push({ ...body })
      return json(seen.length)
    },
  }
  return { id: "counter", routes: { "GET count": { handle: () => json(seen.length) }, "POST count": post } }
}

describe("a route of a module", () => {
  test("answers below the base path", async () => {
    const { browser } = await siteOf([counter([])])
    await browser.get("/auth/count")
    expect(browser.response.status).toBe(200)
    expect(JSON.parse(browser.text)).toBe(0)
    expect(browser.response.headers.get("cache-control")).toContain("no-store")
  })

  test("gets the fields of a form with the CSRF token", async () => {
    const seen: unknown[] = []
    const { browser } = await siteOf([counter(seen)])
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/count", { csrfToken, by: "one" })
    expect(seen).toEqual([{ csrfToken, by: "one" }])
  })

  test.each([
    ["no token", {}, {}],
    ["a wrong token", { csrfToken: "0".repeat(64) }, {}],
    ["another site", {}, { from: "https://evil.test/" }],
  ])("is not called for a form with %s", async (_, fields, from) => {
    const seen: unknown[] = []
    const { browser } = await siteOf([counter(seen)])
    await browser.csrf()
    await browser.post("/auth/count", fields, from)
    expect(seen).toEqual([])
    expect(browser.location).toBe("https://app.test/auth/signin?error=MissingCSRF")
  })

  test("with `csrf: false` is called without a token", async () => {
    const seen: unknown[] = []
    const { browser } = await siteOf([counter(seen, false)])
    await browser.post("/auth/count", { by: "webhook" }, { from: "https://partner.test/" })
    expect(seen).toEqual([{ by: "webhook" }])
  })

  test("answers other methods with 405 and `Allow`", async () => {
    const { browser } = await siteOf([{ id: "m", routes: { "GET count": { handle: () => json(1) } } }])
    await browser.post("/auth/count")
    expect(browser.response.status).toBe(405)
    expect(browser.response.headers.get("allow")).toBe("GET")
  })

  test.each(["/auth/count/credentials", "/auth/count/x", "/auth/counter", "/auth/constructor", "/auth/toString"])(
    "does not answer for %s",
    async (path) => {
      const { browser } = await siteOf([counter([])])
      await browser.get(path)
      expect(browser.response.status).toBe(404)
    },
  )

  test("can set cookies, and answer without a body", async () => {
    const module: Module = {
      id: "m",
      routes: {
        "GET mark": {
          handle: () => ({
            kind: "empty",
            status: 204,
            headers: { "x-mark": "1" },
            cookies: [{ name: "mark", value: "1", options: { path: "/", secure: true } }],
          }),
        },
      },
    }
    const { browser } = await siteOf([module])
    await browser.get("/auth/mark")
    expect(browser.response.status).toBe(204)
    expect(browser.response.headers.get("x-mark")).toBe("1")
    expect(browser.cookies.map(({ name }) => name)).toContain("mark")
  })

  test.each([
    ["throws", () => Promise.reject(new Error("the counter is broken"))],
    ["throws what is no error", () => Promise.reject("broken")],
  ])("that %s leads to the error page, and the cause to the log", async (_, handle) => {
    const site = await siteOf([{ id: "m", routes: { "GET count": { handle } } }])
    await site.browser.get("/auth/count")
    expect(site.browser.location).toBe("https://app.test/auth/error?error=Configuration")
    expect(site.browser.text).not.toContain("broken")
    expect(errors(site)).toEqual([expect.objectContaining({ message: expect.stringContaining("broken") })])
  })
})

const route = { handle: () => json(1) }
const a: Module = { id: "a", routes: { "GET one": route } }

const wrong: readonly (readonly [string, readonly Module[], RegExp])[] = [
  ["two modules with one id", [{ id: "a" }, { id: "a" }], /modules\[1\]\.id: Another module has the same id/],
  ["an id with other characters", [{ id: "a b" }], /modules\[0\]\.id.*letters, digits and hyphens/],
  ["two modules with one route", [a, { ...a, id: "b" }], /modules\[1\]\.routes: Two modules have the same route/],
  ["a route of ours", [{ id: "a", routes: { "GET session": route } }], /"session" is a built-in action/],
  ["a callback of its own", [{ id: "a", routes: { "POST callback": route } }], /"callback" is a built-in action/],
  ["two segments", [{ id: "a", routes: { "GET one/two": route } }], /a method and one path segment/],
  ["another method", [{ id: "a", routes: { "PUT one": route } }], /a method and one path segment/],
]

test.each(wrong)("%s is a problem of the configuration", async (_, modules, message) => {
  const log = captureLog()
  const config = {
    secret: "only-for-tests-0123456789abcdefghij",
    trustHost: true,
    providers: [code],
    modules,
    logger: log.logger,
  }
  const response = await Auth(new Request("https://app.test/auth/session"), config)
  expect(response.status).toBe(500)
  expect(log.entries.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    expect.stringMatching(message),
  ])
})

test("several problems are told together", async () => {
  const modules = [a, { ...a, routes: { "GET one": route, "GET csrf": route } }]
  const log = captureLog()
  const config = {
    secret: "only-for-tests-0123456789abcdefghij",
    trustHost: true,
    providers: [],
    modules,
    logger: log.logger,
  }
  await Auth(new Request("https://app.test/auth/session"), config)
  expect(log.entries.find(({ level }) => level === "error")?.message).toMatch(/3 problems/)
})
