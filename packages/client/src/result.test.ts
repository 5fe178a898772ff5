import { expect, test } from "vitest"
import { fieldOf, verdictOf } from "./result.js"

const here = "https://app.test/page"
const fine = { error: undefined, code: undefined, ok: true }
const bad = { ok: false, url: null }
const refused = "https://app.test/login?error=CredentialsSignin&code=locked"

test.each([
  ["an address", true, 200, { url: "https://app.test/next" }, { ...fine, status: 200, url: "https://app.test/next" }],
  ["a relative one", true, 200, { url: "/next" }, { ...fine, status: 200, url: "https://app.test/next" }],
  ["a code without error", true, 200, { url: "/n?code=1" }, { ...fine, status: 200, url: "https://app.test/n?code=1" }],
  ["a refusal", true, 200, { url: refused }, { ...bad, status: 401, error: "CredentialsSignin", code: "locked" }],
  ["too many attempts", false, 429, { url: "/login?error=RateLimited" }, { ...bad, status: 429, error: "RateLimited" }],
  ["a failure", false, 500, { message: "broken" }, { ...bad, status: 500, error: "Configuration" }],
  ["a failure with a place", false, 503, { url: "/next" }, { ...bad, status: 503, error: "Configuration" }],
  ["no address", true, 200, {}, { ...fine, status: 200, url: "https://app.test/wanted" }],
  ["null for an address", true, 200, { url: null }, { ...fine, status: 200, url: "https://app.test/wanted" }],
  ["a script", true, 200, { url: "javascript:alert(1)" }, { ...bad, status: 200, error: "Configuration" }],
  ["a number", true, 200, 7, { ...fine, status: 200, url: "https://app.test/wanted" }],
  ["no JSON", false, 200, undefined, { ...bad, status: 200, error: "Configuration" }],
  ["nothing", false, 0, undefined, { ...bad, status: 0, error: "ClientFetchError" }],
])("an answer with %s", (_, ok, status, body, expected) => {
  const { target: _place, ...response } = verdictOf({ ok, status, body }, "/wanted", here)
  expect(response).toEqual({ code: undefined, ...expected })
})

test("without an address a wanted place elsewhere is a fault of the server", () => {
  const answer = { ok: true, status: 200, body: {} }
  expect(verdictOf(answer, "https://evil.test/", here)).toMatchObject({ ok: false, error: "Configuration", url: null })
})

test("only what an object has itself is a field of it", () => {
  expect([fieldOf({ a: 1 }, "a"), fieldOf({}, "constructor"), fieldOf([], "length"), fieldOf(null, "a")]).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ])
})
