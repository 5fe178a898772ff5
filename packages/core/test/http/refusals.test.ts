import { describe, expect, test } from "vitest"
import { app } from "./app.js"

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const form = { "content-type": "application/x-www-form-urlencoded" }

const refusals: readonly (readonly [number, string, string, string, RequestInit])[] = [
  [400, "Bad request", "an overlong query", `/auth/signin?a=${"x".repeat(20_000)}`, {}],
  [
    403,
    "This page can&#39;t be shown here",
    "a page in a frame",
    "/auth/signin",
    { headers: { "sec-fetch-dest": "iframe" } },
  ],
  [404, "Page not found", "an unknown path", "/auth/nothing", {}],
  [404, "Page not found", "an unknown provider", "/auth/signin/unknown", {}],
  [405, "Not allowed", "a wrong method", "/auth/providers", { method: "POST" }],
  [
    413,
    "Too large",
    "a large form",
    "/auth/signin",
    { method: "POST", headers: form, body: `a=${"x".repeat(70_000)}` },
  ],
  [415, "Bad request", "a text", "/auth/signin", { method: "POST", body: "x" }],
  [431, "Too many cookies", "many cookies", "/auth/signin", { headers: { cookie: "a=b; ".repeat(5000) } }],
]

const withHeaders = ({ headers, ...init }: RequestInit = {}, more: Record<string, string> = {}): RequestInit => ({
  ...init,
  headers: { ...(headers as Record<string, string> | undefined), ...more },
})

/** What both answers have in common. The CSRF token differs. */
function headersOf({ headers }: Response): Record<string, string> {
  const { "content-type": _, "content-security-policy": __, "set-cookie": ___, ...others } = Object.fromEntries(headers)
  return others
}

describe("a browser whose request is refused", () => {
  test.each(refusals)(
    "gets a page with the status %d and the heading %s for %s",
    async (status, heading, _, path, init) => {
      const response = await app().send(path, withHeaders(init, browser))
      expect([response.status, response.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"])
      const page = await response.text()
      expect(page).toContain(`<h1>${heading}</h1>`)
      expect(page).toContain(`<a class="site" href="https://app.test">app.test</a>`)
      expect(page).not.toMatch(/<form|<script/)
      const [, nonce = "none"] = /<style nonce="([^"]+)">/.exec(page) ?? []
      expect(response.headers.get("content-security-policy")).toBe(
        `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      )
    },
  )

  test.each(refusals)(
    "gets the same headers with %d as a program, which gets JSON: %s",
    async (status, _, __, path, init) => {
      const [page, plain] = [
        await app().send(path, withHeaders(init, browser)),
        await app().send(path, withHeaders(init, { accept: "*/*" })),
      ]
      expect([plain.status, plain.headers.get("content-type")]).toEqual([status, "application/json"])
      expect(JSON.parse(await plain.text())).toEqual(expect.any(String))
      expect(headersOf(page)).toEqual(headersOf(plain))
    },
  )

  test("reads it in the language of the browser, with the theme", async () => {
    const theme = { colorScheme: "dark", logo: "https://cdn.test/logo.png" } as const
    const i18n = { messages: { de: { status: { notFound: { heading: "Nicht gefunden" } } } } }
    const response = await app({ theme, i18n }).send("/auth/nothing", {
      headers: { ...browser, "accept-language": "de" },
    })
    const page = await response.text()
    expect(page).toContain(`<html lang="de">`)
    expect(page).toContain("<h1>Nicht gefunden</h1>")
    expect(page).toContain("__next-auth-theme-dark")
    expect(page).toContain(`<img class="logo" src="https://cdn.test/logo.png"`)
    expect(response.headers.get("content-security-policy")).toContain("img-src 'self' data: https://cdn.test;")
  })

  test("gets no body for HEAD, and JSON from a script that posts JSON", async () => {
    const { send } = app()
    const head = await send("/auth/nothing", { method: "HEAD", headers: browser })
    expect([head.status, await head.text()]).toEqual([404, ""])
    const json = { ...browser, "content-type": "application/json" }
    const posted = await send("/auth/nothing", { method: "POST", headers: json, body: "{}" })
    expect(await posted.json()).toBe("Not found.")
  })

  test("isn't told the host of an untrusted request", async () => {
    const response = await app({ trustHost: ["other.test"] }).send("/auth/signin", { headers: browser })
    const page = await response.text()
    expect([response.status, page.includes("<h1>Bad request</h1>"), page.includes("app.test")]).toEqual([
      400,
      true,
      false,
    ])
  })

  test("gets a page if the configuration can't be used, whatever the route", async () => {
    for (const path of ["/auth/session", "/auth/callback/op"]) {
      const response = await app({ secret: "" }).send(path, { headers: browser })
      expect([response.status, response.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"])
      expect(await response.text()).toContain("<h1>Server error</h1>")
    }
  })

  test("gets JSON if the page can't be rendered", async () => {
    const nonce = (): string => {
      throw new Error("no nonce")
    }
    const response = await app({ nonce }).send("/auth/nothing", { headers: browser })
    expect([response.status, await response.json()]).toEqual([404, "Not found."])
  })
})
