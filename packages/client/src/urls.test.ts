import { describe, expect, test } from "vitest"
import { httpUrl, isSamePage, sameOriginUrl, withoutError } from "./urls.js"

const pageUrl = "https://app.test/deep/page?x=1"

describe("a URL from the server", () => {
  test.each([
    ["/next", "https://app.test/next"],
    ["next", "https://app.test/deep/next"],
    ["?y=2", "https://app.test/deep/page?y=2"],
    ["", pageUrl],
    ["https://idp.test/authorize?state=1", "https://idp.test/authorize?state=1"],
    ["//idp.test/", "https://idp.test/"],
    ["javascript:alert(1)", undefined],
    ["JAVASCRIPT:alert(1)", undefined],
    ["\tjava\nscript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["blob:https://app.test/1", undefined],
    ["mailto:ada@example.test", undefined],
    ["http://[", undefined],
    [{ toString: (): string => "javascript:alert(1)" }, undefined],
  ])("%j is %s", (url, target) => {
    expect(httpUrl(url, pageUrl)?.href).toBe(target)
  })

  test("is undefined if it is relative and there is no base", () => {
    expect(httpUrl("/next", undefined)).toBeUndefined()
  })
})

describe("a URL that the server didn't check", () => {
  test.each([
    ["/next", "https://app.test/next"],
    ["https://app.test:443/next", "https://app.test/next"],
    ["https://app.test:8443/", undefined],
    ["http://app.test/", undefined],
    ["https://app.test.evil.test/", undefined],
    ["https://app.test@evil.test/", undefined],
    ["//evil.test", undefined],
    ["/\\evil.test", undefined],
    ["javascript:alert(1)", undefined],
  ])("%j is %s", (url, target) => {
    expect(sameOriginUrl(url, pageUrl)?.href).toBe(target)
  })
})

test.each([
  [pageUrl, pageUrl],
  ["https://app.test/login?error=AccessDenied", "https://app.test/login"],
  ["https://app.test/login?a=1&error=CredentialsSignin&code=credentials#x", "https://app.test/login?a=1#x"],
  ["https://app.test/shop?code=spring", "https://app.test/shop?code=spring"],
])("the callback URL of a sign-in on %s is %s", (href, target) => {
  expect(withoutError(href)).toBe(target)
})

test.each([
  ["https://a.test/", "https://a.test/#x", true],
  ["https://a.test/#y", "https://a.test/#x", true],
  ["https://a.test/", "https://a.test/", false],
  ["https://a.test/", "https://a.test/b#x", false],
])("a navigation from %s to %s stays on the page: %s", (from, to, same) => {
  expect(isSamePage(from, to)).toBe(same)
})
