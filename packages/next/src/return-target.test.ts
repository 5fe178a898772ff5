import { describe, expect, test } from "vitest"
import { returnTarget } from "./return-target.js"

const site = { basePath: "/api/auth", signInPage: "/login", origin: undefined }

function target(referer: string | undefined, own: Partial<typeof site> | { origin: string } = {}, more = {}) {
  const headers = new Headers({ host: "signin.example.com", ...(referer !== undefined && { referer }), ...more })
  return returnTarget({ ...site, ...own }, headers)
}

describe("who names no place returns to", () => {
  test.each([
    ["the page they were on", "https://signin.example.com/orders/7", "/orders/7"],
    ["the front page, if no page is known", undefined, "/"],
    ["the front page, if the browser names none", "nonsense", "/"],
    ["what the sign-in page was asked for", "https://signin.example.com/login?callbackUrl=%2Forders", "/orders"],
    ["what the built-in page was asked for", "https://signin.example.com/api/auth/signin?callbackUrl=%2Fa", "/a"],
    ["the front page, if it was asked for nothing", "https://signin.example.com/login", "/"],
  ])("%s", (_, referer, expected) => {
    expect(target(referer)).toBe(expected)
  })

  test("a page under the address that AUTH_URL or a proxy names", () => {
    expect(target("https://public.test/a", { origin: "https://public.test" })).toBe("/a")
    expect(target("https://public.test/a", {}, { "x-forwarded-host": "public.test" })).toBe("/a")
  })
})
