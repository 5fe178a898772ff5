import { expect, test } from "vitest"
import type { AuthConfig } from "../model/config.js"
import { check } from "../engine/check.js"

const now = Date.UTC(2026, 10, 22)

/** Takes any object, because JavaScript applications can pass what the types forbid. */
function config(version4: unknown, given: object = {}): AuthConfig {
  return {
    secret: "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz",
    url: "https://app.test/auth",
    providers: [],
    session: { version4 },
    runtime: { now: () => now },
    ...given,
  } as AuthConfig
}

const strict = { security: "strict" }
const acceptUntil = "2027-03-01"
const path = "session.version4"

const broken: readonly (readonly [title: string, version4: unknown, given: object, paths: readonly string[]])[] = [
  ["true", true, {}, [path]],
  ["a date in place of the object", acceptUntil, {}, [path]],
  ["a date that isn't one", { acceptUntil: "soon" }, {}, [`${path}.acceptUntil`]],
  ["an invalid `Date`", { acceptUntil: new Date("x") }, {}, [`${path}.acceptUntil`]],
  ["a date as a number", { acceptUntil: now }, {}, [`${path}.acceptUntil`]],
  ["no date under strict", {}, strict, [`${path}.acceptUntil`]],
  ["no date under strict in an object", {}, { security: { mode: "strict" } }, [`${path}.acceptUntil`]],
  ["sharing under strict", { share: true, acceptUntil }, strict, [`${path}.acceptUntil`, `${path}.share`]],
  ["sharing with an end date", { share: true, acceptUntil }, {}, [`${path}.acceptUntil`]],
  ["a cookie name with a space", { cookie: { name: "a b" } }, {}, [`${path}.cookie.name`]],
  ["the name of another cookie", { cookie: { name: "__Secure-authjs.state" } }, {}, [`${path}.cookie.name`]],
  [
    "a prefix that forbids the domain",
    { cookie: { name: "__Host-sid", options: { domain: "app.test" } } },
    {},
    [`${path}.cookie.options.domain`],
  ],
]

test.each(broken)("%s is a problem", (_, version4, given, paths) => {
  expect(check(config(version4, given)).errors.map(({ path }) => path)).toEqual(paths)
})

const fine: readonly (readonly [title: string, version4: unknown, given: object])[] = [
  ["no option", undefined, {}],
  ["no option under strict", undefined, strict],
  ["false", false, {}],
  ["false under strict", false, strict],
  ["an empty object", {}, {}],
  ["a date", { acceptUntil }, {}],
  ["a date under strict", { acceptUntil }, strict],
  ["a `Date` under strict", { acceptUntil: new Date(acceptUntil) }, strict],
  ["sharing", { share: true }, {}],
  ["a cookie", { cookie: { name: "sid", options: { domain: "app.test" } } }, {}],
]

test.each(fine)("%s is no problem and no warning", (_, version4, given) => {
  expect(check(config(version4, given))).toEqual({ errors: [], warnings: [] })
})

test.each([
  ["compatible", "2026-11-21"],
  ["strict", new Date(now)],
] as const)("an end date that has passed causes a warning, under %s", (security, passed) => {
  const { errors, warnings } = check(config({ acceptUntil: passed }, { security }))
  expect(errors).toEqual([])
  expect(warnings.map(({ code }) => code)).toEqual(["version4-ended"])
})
