import { describe, expect, test } from "vitest"
import { type Browser, frozenClock, openBrowser } from "../src/index.js"
import { at, hello, origin, to } from "./hand-written-app.js"

describe("a browser", () => {
  test("opens a page", async () => {
    const { browser } = at({ "GET /": hello })
    await browser.get("/")
    expect([browser.location, browser.text, browser.response.status]).toEqual([`${origin}/`, "hello", 200])
  })

  test("stores the cookies of a response and sends them", async () => {
    const { browser, seen } = at({
      "GET /": () => to("/next", 302, ["a=1", "b=2; HttpOnly; Secure"]),
      "GET /next": hello,
    })
    await browser.get("/")
    expect(seen[1]?.headers.get("cookie")).toBe("a=1; b=2")
    expect(browser.cookies).toMatchObject([
      { name: "a", httpOnly: false },
      { name: "b", httpOnly: true, secure: true },
    ])
  })

  test("expires cookies by its clock", async () => {
    const clock = frozenClock()
    const handle = () => new Response("", { headers: { "set-cookie": "a=1; Max-Age=60" } })
    const browser = openBrowser({ origin, clock, handle })
    await browser.get("/")
    expect(browser.cookies).toHaveLength(1)
    clock.advance({ minutes: 1 })
    expect(browser.cookies).toHaveLength(0)
  })

  test("throws the errors of the app", async () => {
    const { browser } = at({ "GET /": () => Promise.reject(new Error("out of order")) })
    await expect(browser.get("/")).rejects.toThrow("out of order")
  })

  test("throws if no page is open", () => {
    expect(() => at({}).browser.response).toThrow("Open a page first.")
  })
})

describe("redirects", () => {
  test.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", "a=1"],
    [308, "POST", "a=1"],
  ])("with status %i are followed with %s", async (status, method, body) => {
    const { browser, seen } = at({ "POST /": () => to("/next", status), "GET /next": hello, "POST /next": hello })
    await browser.post("/", { a: "1" })
    expect(seen[1]?.method).toBe(method)
    expect(await seen[1]?.text()).toBe(body)
    expect(seen[1]?.headers.has("content-type")).toBe(method === "POST")
    expect(browser.trail.map((response) => response.status)).toEqual([status, 200])
  })

  test("stop at another origin, which gets no request", async () => {
    const { browser, seen } = at({ "GET /": () => to("https://op.test/authorize?a=1") })
    await browser.get("/")
    expect(browser.location).toBe("https://op.test/authorize?a=1")
    expect(browser.response.status).toBe(302)
    expect(seen).toHaveLength(1)
  })

  test("stop at another port", async () => {
    const { browser } = at({ "GET /": () => to("https://app.test:444/") })
    await browser.get("/")
    expect(browser.location).toBe("https://app.test:444/")
  })

  test("without an end are an error", async () => {
    const { browser } = at({ "GET /": () => to("/") })
    await expect(browser.get("/")).rejects.toThrow("The app redirected 20 times")
  })
})

describe("the origin of a request", () => {
  async function headersOf(open: (browser: Browser) => Promise<unknown>): Promise<Record<string, string | null>> {
    const { browser, seen } = at({ "GET /": hello, "POST /": hello })
    await open(browser)
    const headers = seen.at(-1)?.headers
    return { site: headers?.get("sec-fetch-site") ?? null, origin: headers?.get("origin") ?? null }
  }

  test.each<[string, (browser: Browser) => Promise<unknown>, string, string | null]>([
    ["a typed URL", (browser) => browser.get("/"), "none", null],
    ["a link of the app", (browser) => browser.get("/", { from: origin }), "same-origin", null],
    ["a form of the app", (browser) => browser.post("/"), "same-origin", origin],
    ["a link on another site", (browser) => browser.get("/", { from: "https://evil.test/x" }), "cross-site", null],
    [
      "a form on another site",
      (browser) => browser.post("/", {}, { from: "https://evil.test/x" }),
      "cross-site",
      "https://evil.test",
    ],
    [
      "a form on a subdomain",
      (browser) => browser.post("/", {}, { from: "https://a.app.test" }),
      "same-site",
      "https://a.app.test",
    ],
    [
      "a form of the app over http",
      (browser) => browser.post("/", {}, { from: "http://app.test" }),
      "cross-site",
      "http://app.test",
    ],
    ["a script on the app", (browser) => browser.fetch("/"), "same-origin", null],
    [
      "a script on another site",
      (browser) => browser.fetch("/", { from: "https://evil.test" }),
      "cross-site",
      "https://evil.test",
    ],
  ])("is sent for %s", async (_, open, site, sentOrigin) => {
    expect(await headersOf(open)).toEqual({ site, origin: sentOrigin })
  })

  test("decides whether lax cookies are sent, also after redirects", async () => {
    const { browser, seen } = at({
      "GET /set": () => to("/", 302, ["lax=1", "strict=1; SameSite=Strict", "none=1; SameSite=None; Secure"]),
      "GET /": hello,
      "GET /hop": () => to("/"),
      "POST /": hello,
    })
    await browser.get("/set")
    await browser.get("/hop", { from: "https://evil.test" })
    expect(seen.at(-1)?.headers.get("cookie")).toBe("lax=1; none=1")
    await browser.post("/", {}, { from: "https://evil.test" })
    expect(seen.at(-1)?.headers.get("cookie")).toBe("none=1")
    await browser.post("/")
    expect(seen.at(-1)?.headers.get("cookie")).toBe("lax=1; strict=1; none=1")
  })
})

describe("tabs", () => {
  test("share cookies but not the location; other browsers share nothing", async () => {
    const { browser } = at({ "GET /": () => new Response("", { headers: { "set-cookie": "a=1" } }) })
    const tab = browser.clone()
    const other = browser.fresh()
    await browser.get("/")
    expect(tab.cookies).toMatchObject([{ name: "a" }])
    expect(tab.location).toBe("about:blank")
    expect(other.cookies).toEqual([])
  })
})
