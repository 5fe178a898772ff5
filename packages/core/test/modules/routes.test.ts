import { Auth } from "@latchkey/core"
import { defineModule, route, type Module, type ModuleParts, type Route } from "@latchkey/core/module"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { code, errors, siteOf } from "./setup.js"

const withRoutes = (...routes: readonly Route[]) => withParts({ routes })
const withParts = (parts: ModuleParts, id = "counter") => defineModule({ id, load: async () => parts })

/** `seen` stays outside: a configuration is frozen to the last leaf. */
const counter = (seen: unknown[], csrf?: boolean): Module =>
  withRoutes(
    route("GET", "count", { session: "none" }, ({ json }) => json(seen.length)),
    route("POST", "count", { session: "none", ...(csrf !== undefined && { csrf }) }, ({ json, request }) => {
      seen.push({ ...request.fields })
      return json(seen.length)
    }),
  )

describe("a route of a module", () => {
  test("answers below the base path and the id of the module", async () => {
    const { browser } = await siteOf([counter([])])
    await browser.get("/auth/counter/count")
    expect(browser.response.status).toBe(200)
    expect(JSON.parse(browser.text)).toBe(0)
    expect(browser.response.headers.get("cache-control")).toContain("no-store")
  })

  test("gets the fields of a form with the CSRF token", async () => {
    const seen: unknown[] = []
    const { browser } = await siteOf([counter(seen)])
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/counter/count", { csrfToken, by: "one" })
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
    await browser.post("/auth/counter/count", fields, from)
    expect(seen).toEqual([])
    expect(browser.location).toBe("https://app.test/auth/signin?error=MissingCSRF")
  })

  test("with `csrf: false` is called without a token", async () => {
    const seen: unknown[] = []
    const { browser } = await siteOf([counter(seen, false)])
    await browser.post("/auth/counter/count", { by: "webhook" }, { from: "https://partner.test/" })
    expect(seen).toEqual([{ by: "webhook" }])
  })

  test("gets the parameters of its path, for any method", async () => {
    const remove = route("DELETE", "keys/:id", { session: "none", csrf: false }, ({ json, request }) =>
      json([request.method, request.params["id"]]),
    )
    const { browser } = await siteOf([withRoutes(remove)])
    const response = await browser.fetch("/auth/counter/keys/k%2F1", { method: "DELETE" })
    expect(await response.json()).toEqual(["DELETE", "k/1"])
  })

  test("may have a path of its own", async () => {
    const module = defineModule({
      id: "keys",
      paths: ["jwks.json"],
      load: async () => ({
        routes: [route("GET", "jwks.json", { session: "none" }, ({ json }) => json({ keys: [] }))],
      }),
    })
    const { browser } = await siteOf([module])
    expect(await (await browser.fetch("/auth/jwks.json")).json()).toEqual({ keys: [] })
  })

  test("answers other methods with 405 and `Allow`", async () => {
    const { browser } = await siteOf([withRoutes(route("GET", "count", { session: "none" }, ({ json }) => json(1)))])
    await browser.post("/auth/counter/count")
    expect(browser.response.status).toBe(405)
    expect(browser.response.headers.get("allow")).toBe("GET")
  })

  test.each(["/auth/counter", "/auth/counter/count/x", "/auth/counters", "/auth/constructor", "/auth/toString"])(
    "does not answer for %s",
    async (path) => {
      const { browser } = await siteOf([counter([])])
      await browser.get(path)
      expect(browser.response.status).toBe(404)
    },
  )

  test("can set cookies of the module, and answer without a body", async () => {
    const mark = route("GET", "mark", { session: "none" }, ({ setCookie, empty }) => {
      setCookie("mark", "1", 60)
      return empty(204, { "x-mark": "1" })
    })
    const read = route("GET", "read", { session: "none" }, ({ cookie, json }) => json(cookie("mark")))
    const { browser } = await siteOf([withRoutes(mark, read)])
    await browser.get("/auth/counter/mark")
    expect(browser.response.status).toBe(204)
    expect(browser.response.headers.get("x-mark")).toBe("1")
    expect(browser.response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-authjs\.counter\.mark=1; Max-Age=60; Path=\/; .*HttpOnly/i),
    ])
    expect(await (await browser.fetch("/auth/counter/read")).json()).toBe("1")
  })

  test.each([
    ["throws", () => Promise.reject(new Error("the counter is broken"))],
    ["throws what is no error", () => Promise.reject("broken")],
  ])("that %s leads to the error page, and the cause to the log", async (_, handle) => {
    const site = await siteOf([withRoutes(route("GET", "count", { session: "none" }, handle))])
    await site.browser.get("/auth/counter/count")
    expect(site.browser.location).toBe("https://app.test/auth/error?error=Configuration")
    expect(site.browser.text).not.toContain("broken")
    expect(errors(site)).toEqual([expect.objectContaining({ message: expect.stringContaining("broken") })])
  })

  test("is for signed-in users, unless it says otherwise", async () => {
    const { browser } = await siteOf([withRoutes(route("GET", "me", {}, ({ json }, user) => json(user.id)))])
    const refused = await browser.fetch("/auth/counter/me", { headers: { accept: "application/json" } })
    expect(refused.status).toBe(401)
    await browser.get("/auth/counter/me")
    expect(browser.location).toContain("/auth/signin?callbackUrl=")
    await browser.signIn("credentials", { name: "ada" })
    expect(await (await browser.fetch("/auth/counter/me")).json()).toBe("ada")
  })

  test("with a limit refuses with 429", async () => {
    const limited = route("GET", "try", { session: "none", limit: "tries" }, ({ json }) => json("ok"))
    const module = withParts({ routes: [limited], limits: { tries: { points: 2, seconds: 60 } } })
    const { browser } = await siteOf([module])
    const statusFrom = async (address: Readonly<Record<string, string>>) =>
      (await browser.fetch("/auth/counter/try", { headers: { accept: "application/json", ...address } })).status
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push(await statusFrom({ "x-forwarded-for": "203.0.113.7" }))
    expect(statuses).toEqual([200, 200, 429])
    expect(await statusFrom({ "x-forwarded-for": "203.0.113.8" })).toBe(200)
    // All whose address isn't known would share a limit.
    for (let count = 0; count < 3; count++) expect(await statusFrom({})).toBe(200)
  })
})

describe("a page of a module", () => {
  test("looks like the others, and escapes its texts", async () => {
    const page = route("GET", "page", { session: "none" }, ({ page }) =>
      page({
        title: "Hello <script>",
        blocks: [
          { kind: "text", text: "<b>bold</b>" },
          { kind: "image", src: "https://evil.test/x.png", alt: "x" },
          { kind: "link", url: "https://evil.test/", text: "away" },
          { kind: "codes", codes: ["abc"] },
          { kind: "form", route: "save", submit: "Save" },
        ],
      }),
    )
    const { browser } = await siteOf([withRoutes(page)])
    await browser.get("/auth/counter/page")
    expect(browser.text).toContain("&lt;b&gt;bold")
    expect(browser.text).not.toMatch(/<script>|evil\.test/)
    expect(browser.text).toContain('action="https://app.test/auth/counter/save"')
    expect(browser.text).toContain('name="csrfToken"')
  })
})

const wrong: readonly (readonly [string, readonly Module[], RegExp])[] = [
  ["two modules with one id", [{ id: "a" }, { id: "a" }], /modules\[1\]: Another module has the name "a"/],
  ["an id with other characters", [{ id: "a b" }], /modules\[0\]\.id.*a-z, 0-9 and hyphens/],
  [
    "two modules with one path",
    [
      { id: "a", paths: ["x"] },
      { id: "b", paths: ["x"] },
    ],
    /modules\[1\]: Another module/,
  ],
  ["a name of ours", [{ id: "session" }], /"session" is a built-in route/],
  ["a path of ours", [{ id: "a", paths: ["callback"] }], /"callback" is a built-in route/],
  ["a module that is missing", [{ id: "a", needs: ["b"] }], /a needs the module "b"/],
  [
    "a cycle",
    [
      { id: "a", needs: ["b"] },
      { id: "b", needs: ["a"] },
    ],
    /needs itself/,
  ],
  ["records without a store", [{ id: "a", records: {} }], /a needs records\. Use an adapter/],
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
