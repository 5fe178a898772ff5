import { describe, expect, test } from "vitest"
import { httpUrl, isSamePage, ownUrl, returnTarget } from "./target.js"

const here = "https://app.test/deep/page?x=1"

describe("an address that a server names", () => {
  test.each([
    ["/next", "https://app.test/next"],
    ["next", "https://app.test/deep/next"],
    ["?y=2", "https://app.test/deep/page?y=2"],
    ["", here],
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
  ])("%j is %s", (address, target) => {
    expect(httpUrl(address, here)?.href).toBe(target)
  })

  test("is nowhere if it is relative and nothing is known that it is relative to", () => {
    expect(httpUrl("/next", undefined)).toBeUndefined()
  })
})

describe("an address that nobody vouches for", () => {
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
  ])("%j is %s", (address, target) => {
    expect(ownUrl(address, here)?.href).toBe(target)
  })
})

test.each([
  [here, here],
  ["https://app.test/login?error=AccessDenied", "https://app.test/login"],
  ["https://app.test/login?a=1&error=CredentialsSignin&code=credentials#x", "https://app.test/login?a=1#x"],
  ["https://app.test/shop?code=spring", "https://app.test/shop?code=spring"],
])("who signs in on %s comes back to %s", (href, target) => {
  expect(returnTarget(href)).toBe(target)
})

test.each([
  ["https://a.test/", "https://a.test/#x", true],
  ["https://a.test/#y", "https://a.test/#x", true],
  ["https://a.test/", "https://a.test/", false],
  ["https://a.test/", "https://a.test/b#x", false],
])("from %s to %s only moves within the page: %s", (from, to, same) => {
  expect(isSamePage(from, to)).toBe(same)
})
