import { describe, expect, test } from "vitest"
import { defaultCallbackUrl } from "./urls.js"

const instance = { basePath: "/api/auth", signInPage: "/login", origin: undefined }

function target(referer: string | undefined, own: Partial<typeof instance> | { origin: string } = {}, more = {}) {
  const headers = new Headers({ host: "signin.example.com", ...(referer !== undefined && { referer }), ...more })
  return defaultCallbackUrl({ ...instance, ...own }, headers)
}

describe("the default callback URL is", () => {
  test.each([
    ["the page that sent the form", "https://signin.example.com/orders/7", "/orders/7"],
    ["the home page without a Referer header", undefined, "/"],
    ["the home page if the Referer isn't a URL", "nonsense", "/"],
    ["the `callbackUrl` of the sign-in page", "https://signin.example.com/login?callbackUrl=%2Forders", "/orders"],
    ["the `callbackUrl` of the built-in page", "https://signin.example.com/api/auth/signin?callbackUrl=%2Fa", "/a"],
    ["the home page if the sign-in page has no `callbackUrl`", "https://signin.example.com/login", "/"],
  ])("%s", (_, referer, expected) => {
    expect(target(referer)).toBe(expected)
  })

  test("a page on the origin of AUTH_URL or of a proxy", () => {
    expect(target("https://public.test/a", { origin: "https://public.test" })).toBe("/a")
    expect(target("https://public.test/a", {}, { "x-forwarded-host": "public.test" })).toBe("/a")
  })
})
