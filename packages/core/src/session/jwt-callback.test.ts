import { describe, expect, test } from "vitest"
import type { JWT } from "../model/session.js"
import { type GuardRules, type Occasion, engineClaims, guardedClaims } from "./jwt-callback.js"

const engine = engineClaims({ revocableSessions: true, keepsAuthTime: true, stepUp: false })
const strict: GuardRules = { engine, keepsSubject: true, isStrict: true }
const compatible: GuardRules = { engine: [], keepsSubject: false, isStrict: false }
const user: JWT = { sub: "1", email: "a@app.test", email_verified: true, name: "Ada", iss: "op", aud: ["a"] }
const before: JWT = { ...user, sid: "s", auth_time: 1, checked_at: 2, iat: 3, exp: 4, jti: "j" }
const occasions: readonly Occasion[] = ["signIn", "read", "change"]

test("the claims that the engine writes depend on what it does", () => {
  expect(engineClaims({ revocableSessions: false, keepsAuthTime: false, stepUp: false })).toEqual([])
  expect(engineClaims({ revocableSessions: true, keepsAuthTime: false, stepUp: false })).toEqual(["sid", "checked_at"])
  expect(engineClaims({ revocableSessions: false, keepsAuthTime: true, stepUp: false })).toEqual([
    "auth_time",
    "auth_time_assumed",
  ])
  expect(engineClaims({ revocableSessions: false, keepsAuthTime: false, stepUp: true })).toEqual(["authentication"])
})

test("unchanged claims stay, in their order", () => {
  for (const occasion of occasions) {
    const { claims, restored } = guardedClaims(before, { ...before }, occasion, strict)
    expect([JSON.stringify(claims), restored]).toEqual([JSON.stringify(before), []])
  }
})

test("under compatible nothing is restored", () => {
  const returned = Object.fromEntries(Object.keys(before).map((name) => [name, "x"]))
  for (const occasion of occasions) {
    expect(guardedClaims(before, returned, occasion, compatible)).toEqual({ claims: returned, restored: [] })
    expect(guardedClaims(before, {}, occasion, compatible)).toEqual({ claims: {}, restored: [] })
  }
})

const always = ["sub", "sid", "auth_time", "auth_time_assumed", "checked_at", "exp", "iat", "nbf", "jti"]

describe.each(occasions)("at %s, under strict", (occasion) => {
  test.each(always)("%s is restored, and removed if it's new", (name) => {
    const { [name]: value, ...without } = before
    for (const other of ["other", 99, {}, null]) {
      const { claims, restored } = guardedClaims(
        { ...before, [name]: value ?? "own" },
        { ...before, [name]: other },
        occasion,
        strict,
      )
      expect([claims[name], restored]).toEqual([value ?? "own", [name]])
      const added = guardedClaims(without, { ...without, [name]: other }, occasion, strict)
      expect([name in added.claims, added.restored]).toEqual([false, [name]])
    }
  })

  test("an object without claims of the engine gets them, and only a missing user is reported", () => {
    const { claims, restored } = guardedClaims(before, { role: "x" }, occasion, strict)
    expect(claims).toEqual({ role: "x", sub: "1", sid: "s", auth_time: 1, checked_at: 2 })
    expect(restored).toEqual(["sub"])
  })

  test("an id may be a number in one place and text in the other", () => {
    expect(guardedClaims({ sub: "42" }, { sub: 42 } as never, occasion, strict).restored).toEqual([])
  })

  test.each(["email", "email_verified", "iss", "aud"])("%s may be left out", (name) => {
    for (const value of [undefined, null]) {
      const { claims, restored } = guardedClaims(before, { ...before, [name]: value }, occasion, strict)
      expect([claims[name], restored]).toEqual([value, []])
    }
  })

  test.each(["email", "email_verified", "emailVerified", "iss", "aud"])("%s changes only if it may", (name) => {
    const isAllowed = occasion === "change" && !["iss", "aud"].includes(name)
    const given = { ...before, [name]: before[name] ?? "own" }
    const { claims, restored } = guardedClaims(given, { ...given, [name]: "other" }, occasion, strict)
    expect([claims[name], restored]).toEqual(isAllowed ? ["other", []] : [given[name], [name]])
    const { [name]: _, ...without } = before
    const isAddable = isAllowed || (occasion === "signIn" && name !== "email")
    const added = guardedClaims(without, { ...without, [name]: "new" }, occasion, strict)
    expect([added.claims[name], added.restored]).toEqual(isAddable ? ["new", []] : [undefined, [name]])
  })
})

test("equal lists are the same, wherever they come from", () => {
  expect(guardedClaims(before, { ...before, aud: ["a"] }, "read", strict).restored).toEqual([])
})

test("a function named toJSON is removed, and other claims of that name stay", () => {
  expect(guardedClaims({}, { toJSON: () => "x" }, "read", compatible).claims).toEqual({})
  expect(guardedClaims({}, { toJSON: "x" }, "read", compatible).claims).toEqual({ toJSON: "x" })
})
