import { expect, test } from "vitest"
import { cookieFaults } from "./cookies.js"

const good = "; Path=/; HttpOnly; SameSite=Lax"

test.each([
  ["of the engine over https", `__Host-a=1${good}; Secure`, true, []],
  ["of the engine over http", `a=1${good}`, false, []],
  ["with lowercase attributes", "__Secure-a=1; path=/; httponly; samesite=lax; secure", true, []],
  ["that scripts can read", "a=1; Path=/; SameSite=Lax", false, ["a isn't HttpOnly"]],
  ["that other sites send", "a=1; Path=/; HttpOnly; SameSite=None", false, ["a has no SameSite=Lax"]],
  ["that is Secure over http", `a=1${good}; Secure`, false, ["a is Secure, so browsers reject it over http"]],
  ["that isn't Secure over https", `__Secure-a=1${good}`, true, ["__Secure-a isn't Secure"]],
  [
    "without a prefix",
    `a=1${good}; Secure`,
    true,
    ["a has no prefix, so the site doesn't know that it runs over https"],
  ],
  [
    "with __Host- and a domain",
    `__Host-a=1${good}; Secure; Domain=b.c`,
    true,
    ["__Host-a is rejected, because __Host- requires Path=/ and no Domain"],
  ],
  [
    "with __Host- and a path",
    "__Host-a=1; Path=/x; HttpOnly; SameSite=Lax; Secure",
    true,
    ["__Host-a is rejected, because __Host- requires Path=/ and no Domain"],
  ],
])("a cookie %s", (_, line, isHttps, faults) => {
  expect(cookieFaults(line, isHttps)).toEqual(faults)
})
