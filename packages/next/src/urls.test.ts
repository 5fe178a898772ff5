import { describe, expect, test } from "vitest"
import { defaultCallbackUrl } from "./urls.js"

const instance = { basePath: "/api/auth", signInPage: "/login", origin: undefined, isStrict: false }

type Own = Partial<typeof instance> | { readonly origin: string }

function target(referer: string | undefined, own: Own = {}, more = {}): string {
  const headers = new Headers({ host: "signin.example.com", ...(referer !== undefined && { referer }), ...more })
  return defaultCallbackUrl({ ...instance, ...own }, headers)
}

describe("the default callback URL is", () => {
  test.each([
    ["the page that sent the form", "https://signin.example.com/orders/7", "/orders/7"],
    ["the page with its query", "https://signin.example.com/products?page=3&q=a%2Fb", "/products?page=3&q=a%2Fb"],
    ["the home page without a Referer header", undefined, "/"],
    ["the home page if the Referer isn't a URL", "nonsense", "/"],
    ["the `callbackUrl` of the sign-in page", "https://signin.example.com/login?callbackUrl=%2Forders", "/orders"],
    ["the `callbackUrl` of any other page", "https://signin.example.com/join?callbackUrl=%2Forders", "/orders"],
    ["the `callbackUrl` of the built-in page", "https://signin.example.com/api/auth/signin?callbackUrl=%2Fa", "/a"],
    [
      "the sign-in page itself if it has no `callbackUrl`",
      "https://signin.example.com/login?lang=de",
      "/login?lang=de",
    ],
    ["the home page if the built-in page has no `callbackUrl`", "https://signin.example.com/api/auth/signin", "/"],
  ])("%s", (_, referer, expected) => {
    expect(target(referer)).toBe(expected)
  })

  test.each([
    ["the page that sent the form, without its query", "https://signin.example.com/reset?token=s3cret", "/reset"],
    ["the home page if the sign-in page has no `callbackUrl`", "https://signin.example.com/login", "/"],
  ])("under strict, %s", (_, referer, expected) => {
    expect(target(referer, { isStrict: true })).toBe(expected)
  })

  test("a page on the origin of AUTH_URL or of a proxy", () => {
    expect(target("https://public.test/a", { origin: "https://public.test" })).toBe("/a")
    expect(target("https://public.test/a", {}, { "x-forwarded-host": "public.test" })).toBe("/a")
  })
})
