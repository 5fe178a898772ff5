import { expect, test } from "vitest"
import { fieldOf, formResult } from "./result.js"

const pageUrl = "https://app.test/page"
const success = { error: undefined, code: undefined, ok: true }
const failure = { ok: false, url: null }
const rejectedUrl = "https://app.test/login?error=CredentialsSignin&code=locked"

test.each([
  ["a URL", true, 200, { url: "https://app.test/next" }, { ...success, status: 200, url: "https://app.test/next" }],
  ["a relative URL", true, 200, { url: "/next" }, { ...success, status: 200, url: "https://app.test/next" }],
  [
    "a code without an error",
    true,
    200,
    { url: "/n?code=1" },
    { ...success, status: 200, url: "https://app.test/n?code=1" },
  ],
  [
    "an error in the URL",
    true,
    200,
    { url: rejectedUrl },
    { ...failure, status: 401, error: "CredentialsSignin", code: "locked" },
  ],
  [
    "too many attempts",
    false,
    429,
    { url: "/login?error=RateLimited" },
    { ...failure, status: 429, error: "RateLimited" },
  ],
  ["status 500", false, 500, { message: "broken" }, { ...failure, status: 500, error: "Configuration" }],
  ["status 429 without a URL", false, 429, undefined, { ...failure, status: 429, error: "RateLimited" }],
  ["status 503 and a URL", false, 503, { url: "/next" }, { ...failure, status: 503, error: "Configuration" }],
  ["no URL", true, 200, {}, { ...success, status: 200, url: "https://app.test/fallback" }],
  ["null as the URL", true, 200, { url: null }, { ...success, status: 200, url: "https://app.test/fallback" }],
  ["a javascript: URL", true, 200, { url: "javascript:alert(1)" }, { ...failure, status: 200, error: "Configuration" }],
  ["a number as the body", true, 200, 7, { ...success, status: 200, url: "https://app.test/fallback" }],
  ["a body that isn't JSON", false, 200, undefined, { ...failure, status: 200, error: "Configuration" }],
  ["no response", false, 0, undefined, { ...failure, status: 0, error: "ClientFetchError" }],
])("a response with %s", (_, ok, status, body, expected) => {
  const { target: _target, ...response } = formResult({ ok, status, body }, "/fallback", pageUrl)
  expect(response).toEqual({ code: undefined, ...expected })
})

test("a fallback URL on another origin is an error", () => {
  const answer = { ok: true, status: 200, body: {} }
  expect(formResult(answer, "https://evil.test/", pageUrl)).toMatchObject({
    ok: false,
    error: "Configuration",
    url: null,
  })
})

test("fieldOf reads own properties only", () => {
  expect([fieldOf({ a: 1 }, "a"), fieldOf({}, "constructor"), fieldOf([], "length"), fieldOf(null, "a")]).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ])
})
