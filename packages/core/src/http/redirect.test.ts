import { captureLog, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import { AuthError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import { toAuthRequest } from "./auth-request.js"
import { resolveCallbackUrl, sameOriginOnly, toPage, toProvider, toRoute } from "./redirect.js"

const origin = "https://app.test"

function site(redirect?: (params: { url: string; baseUrl: string }) => string, at = origin) {
  const log = captureLog()
  const auth: AuthContext = compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: at,
    providers: [],
    logger: log.logger,
    runtime: frozenClock().runtime,
    ...(redirect !== undefined && { callbacks: { redirect } }),
  })
  const url = new URL(`${at}/auth/signin`)
  const route = { action: "signin", providerId: undefined }
  const incoming = toAuthRequest(
    auth,
    { headers: new Headers(), origin: url.origin },
    { url, method: "GET", body: {}, route },
  )
  return { auth, log, incoming, resolve: (wish?: string) => resolveCallbackUrl(auth, incoming, wish) }
}

const path = (length: number) => "/".padEnd(length, "a")

describe("the callback URL", () => {
  test.each([
    [undefined, origin],
    ["", `${origin}/`],
    ["https://app.test", origin],
    ["https://app.test/a b", `${origin}/a%20b`],
    ["https://app.test/a\\b", `${origin}/a/b`],
    ["https://app.test/ü", `${origin}/%C3%BC`],
    ["HTTPS://app.test/a", "HTTPS://app.test/a"],
    ["https:/a", `${origin}/a`],
    ["https:///app.test/a", `${origin}/a`],
    ["https:\\\\app.test\\a", `${origin}/a`],
    ["?a=b", `${origin}/?a=b`],
    ["https://evil.test", origin],
  ])("%j resolves to %s", async (wish, expected) => {
    const { resolve, log } = site()
    expect(await resolve(wish)).toBe(expected)
    expect(log.entries).toEqual([])
  })

  test.each(["/a", "a", "?a=b"])("the path %s resolves on an http site, too", async (wish) => {
    const { resolve, log } = site(undefined, "http://app.test")
    expect(await resolve(wish)).toBe(new URL(wish, "http://app.test").href)
    expect(await site(() => wish, "http://app.test").resolve("/x")).toBe(new URL(wish, "http://app.test").href)
    expect(log.entries.filter(({ message }) => message === "redirect-refused")).toEqual([])
  })

  test("can have 4096 characters in the request and 8192 as the result of the `redirect` callback", async () => {
    const { resolve } = site()
    expect([await resolve(path(4096)), await resolve(path(4097))]).toEqual([origin + path(4096), origin])
    expect(await site(() => path(8192)).resolve("/x")).toBe(origin + path(8192))
    expect(await site(() => path(8193)).resolve("/x")).toBe(origin)
  })

  test.each([
    ["https://other.test/a", "https://other.test/a"],
    ["myapp://back/here", "myapp://back/here"],
    ["com.example.app://back", "com.example.app://back"],
    ["/a", `${origin}/a`],
  ])("%s from the `redirect` callback resolves to %s", async (answer, expected) => {
    const { resolve, log } = site(() => answer)
    expect(await resolve("/x")).toBe(expected)
    expect(log.entries).toEqual([])
  })

  test.each<[string, unknown]>([
    ["a URL of more than 8 kB", path(8193)],
    ["no text", 7],
    ["nothing", undefined],
    ["no URL", "https://["],
    ...["javascript", "data", "vbscript", "blob", "file", "about", "view-source"].flatMap(
      (scheme): [string, string][] => [
        [scheme, `${scheme}:x`],
        [`${scheme} with slashes`, `${scheme}://x/%0aalert(1)`],
      ],
    ),
    ["a scheme without slashes", "mailto:ada@app.test"],
    ["a scheme with one slash", "myapp:/x"],
    ["a scheme in which a tab hides", "my\tapp://x"],
  ])("%s from the `redirect` callback is refused with a warning", async (_, answer) => {
    const { resolve, log } = site(() => answer as string)
    expect(await resolve("/x")).toBe(origin)
    expect(log.entries).toMatchObject([
      { level: "warn", message: "redirect-refused", detail: expect.stringContaining("no http(s) URL") },
    ])
  })
})

test.each([
  ["/a", `${origin}/a`],
  [`${origin}/a`, `${origin}/a`],
  [origin, origin],
  ["https:/a", `${origin}/a`],
  ["//evil.test", `${origin}/b`],
  ["https://[", `${origin}/b`],
])("the default `redirect` callback resolves %j to %s", (url, expected) => {
  expect(sameOriginOnly({ url, baseUrl: `${origin}/b` })).toBe(expected)
})

test("a redirect to a provider must use http or https", () => {
  expect(toProvider(new URL("https://op.test/a"))).toBe("https://op.test/a")
  expect(toProvider(new URL("http://localhost/a"))).toBe("http://localhost/a")
  expect(() => toProvider(new URL("ftp://op.test"))).toThrow(AuthError)
  expect(() => toProvider(new URL("ftp://op.test"))).toThrow("Correct the provider's `authorization`")
})

test("the URLs of routes and pages include their parameters, and a page given as a path stays a path", () => {
  const { incoming } = site()
  expect(toRoute(incoming, "error")).toBe(`${origin}/auth/error`)
  expect(toRoute(incoming, "error", { error: "a b", code: "&" })).toBe(`${origin}/auth/error?error=a+b&code=%26`)
  const pages: readonly [string, string][] = [
    ["/oops", "/oops?e=1"],
    ["/oops?a=b&e=0#c", "/oops?a=b&e=1#c"],
    ["//other.test/x", "https://other.test/x?e=1"],
    [`${origin}/x`, `${origin}/x?e=1`],
    ["https://other.test/x", "https://other.test/x?e=1"],
  ]
  for (const [page, expected] of pages) expect(toPage(incoming, page, { e: "1" })).toBe(expected)
})
