import { expect, test } from "vitest"
import { cookieFaults } from "./cookies.js"

const good = "; Path=/; HttpOnly; SameSite=Lax"

test.each([
  ["as the engine sets it over https", `__Host-a=1${good}; Secure`, true, []],
  ["as the engine sets it over http", `a=1${good}`, false, []],
  ["in other letters", "__Secure-a=1; path=/; httponly; samesite=lax; secure", true, []],
  ["open to scripts", "a=1; Path=/; SameSite=Lax", false, ["a is not HttpOnly"]],
  ["sent from everywhere", "a=1; Path=/; HttpOnly; SameSite=None", false, ["a has no SameSite=Lax"]],
  ["Secure over http", `a=1${good}; Secure`, false, ["a is Secure, and browsers refuse it over http"]],
  ["not Secure over https", `__Secure-a=1${good}`, true, ["__Secure-a is not Secure"]],
  ["without a prefix", `a=1${good}; Secure`, true, ["a has no prefix: the site takes itself for one without https"]],
  [
    "of a host, for a domain",
    `__Host-a=1${good}; Secure; Domain=b.c`,
    true,
    ["__Host-a is refused: __Host- wants Path=/ and no Domain"],
  ],
  [
    "of a host, below a path",
    "__Host-a=1; Path=/x; HttpOnly; SameSite=Lax; Secure",
    true,
    ["__Host-a is refused: __Host- wants Path=/ and no Domain"],
  ],
])("a cookie %s", (_, line, isHttps, faults) => {
  expect(cookieFaults(line, isHttps)).toEqual(faults)
})
