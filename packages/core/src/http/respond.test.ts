import { captureLog, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import { AccessDenied, type AuthError, MissingCSRF, RateLimited } from "../errors.js"
import type { AuthConfig } from "../model/config.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import credentials from "../providers/credentials.js"
import { toAuthRequest } from "./auth-request.js"
import { failure, json, page, redirect, respond, toConfiguredPage, toInternal, toResponse } from "./respond.js"
import { toRoute } from "./redirect.js"
import { plainAnswer } from "./refusal.js"

const origin = "https://app.test"
const cookie: SetCookie = { name: "n", value: "v", options: {} }
const limited = new RateLimited("Too many", { retryAfter: 60 })

const everywhere = {
  "cache-control": "private, no-cache, no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  expires: "0",
  pragma: "no-cache",
  "referrer-policy": "no-referrer",
  vary: "Cookie",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
}

interface Asked {
  readonly method?: AuthRequest["method"]
  readonly action?: string
  readonly headers?: Record<string, string>
  readonly body?: AuthRequest["body"]
  readonly pages?: NonNullable<AuthConfig["pages"]>
}

function site({ method = "GET", action = "signin", headers = {}, body = {}, pages = {} }: Asked) {
  const auth = compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: origin,
    providers: [credentials({ credentials: { name: {} }, authorize: () => null })],
    logger: captureLog().logger,
    runtime: frozenClock().runtime,
    pages,
  })
  const url = new URL(`${origin}/auth/${action}`)
  const route = { action, providerId: undefined }
  const incoming = toAuthRequest(
    auth,
    { headers: new Headers(headers), origin: url.origin },
    { url, method, body, route },
  )
  const to = (path: string) => toRoute(incoming, path)
  return {
    answer: async (outcome: AuthResult) => toResponse(await respond(auth, incoming, outcome)),
    withoutPages: async (outcome: AuthResult) =>
      toResponse(await respond({ ...auth, features: { ...auth.features, pages: undefined } }, incoming, outcome)),
    internal: (outcome: AuthResult) => toInternal(auth, incoming, outcome),
    to,
  }
}

/** The status, the body and the headers that only this response has. */
async function shown(response: Response) {
  const { "set-cookie": _, ...headers } = Object.fromEntries(response.headers)
  const rest = Object.entries(headers).filter(([name, value]) => (everywhere as Record<string, string>)[name] !== value)
  for (const name of Object.keys(everywhere)) expect(headers).toHaveProperty(name)
  return { status: response.status, headers: Object.fromEntries(rest), body: await response.text() }
}

const isJson = { "content-type": "application/json" }
const scripted = { "x-auth-return-redirect": "1" }

describe("the response to a result", () => {
  test("has JSON as its body, 200 as the default status, and null for undefined", async () => {
    const { answer } = site({})
    expect(await shown(await answer(json({ a: 1 })))).toEqual({ status: 200, headers: isJson, body: '{"a":1}' })
    expect(await shown(await answer(json(undefined, [], 404)))).toEqual({ status: 404, headers: isJson, body: "null" })
    const bare = await answer({ kind: "json", body: 1, cookies: [] })
    expect([bare.status, await bare.text()]).toEqual([200, "1"])
  })

  test("sets cookies in the given order", async () => {
    const { answer } = site({})
    const response = await answer(json(null, [cookie, { ...cookie, name: "m" }]))
    expect(response.headers.getSetCookie()).toEqual(["n=v", "m=v"])
  })

  test("has no body for a HEAD request", async () => {
    const { answer, to } = site({ method: "HEAD", headers: scripted })
    expect(await shown(await answer(json(1)))).toEqual({ status: 200, headers: isJson, body: "" })
    expect((await shown(await answer(redirect(to("error"))))).body).toBe("")
  })

  test.each<[string, Asked, Record<string, string>]>([
    ["leaves memory alone", { method: "POST" }, {}],
    ["leaves memory alone when signing out is only asked about", { action: "signout" }, {}],
    [
      "empties the browser's memory after a sign-out",
      { method: "POST", action: "signout" },
      { "clear-site-data": '"cache"' },
    ],
  ])("a redirect %s", async (_, asked, more) => {
    const { answer, to } = site(asked)
    const location = `${origin}/auth/error`
    expect(await shown(await answer(redirect(to("error"))))).toEqual({
      status: 302,
      headers: { ...more, location },
      body: "",
    })
    const script = site({ ...asked, headers: scripted })
    expect(await shown(await script.answer(redirect(to("error"))))).toEqual({
      status: 200,
      headers: { ...isJson, ...more, location },
      body: JSON.stringify({ url: location }),
    })
  })

  test("has no body and the given headers for an empty result", async () => {
    const { answer } = site({})
    const empty: AuthResult = { kind: "empty", status: 404, cookies: [cookie], headers: { "x-a": "b" } }
    expect(await shown(await answer(empty))).toEqual({ status: 404, headers: { "x-a": "b" }, body: "" })
  })

  test.each(["iframe", "frame", "embed", "object", "fencedframe"])(
    "a page is refused with 403 in <%s>",
    async (dest) => {
      const response = await site({ headers: { "sec-fetch-dest": dest } }).answer(page({ name: "verify-request" }))
      expect(await shown(response)).toEqual({
        status: 403,
        headers: isJson,
        body: `"This page can't be shown in a frame."`,
      })
    },
  )

  test.each([{}, { "sec-fetch-dest": "document" }])(
    "a page is HTML for a request with the headers %j",
    async (headers) => {
      const response = await site({ headers }).answer(page({ name: "verify-request" }))
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      expect(response.headers.get("content-security-policy")).toContain("style-src 'nonce-")
      expect(await response.text()).toContain("<!DOCTYPE html>")
    },
  )
})

describe("a failure", () => {
  test.each<[Asked, AuthError, string]>([
    [{}, new AccessDenied("no"), `${origin}/auth/error?error=AccessDenied`],
    [{}, new MissingCSRF("no"), `${origin}/auth/signin?error=MissingCSRF`],
    [{ pages: { error: "/oops?a=b" } }, new AccessDenied("no"), `${origin}/oops?a=b&error=AccessDenied`],
    [{ pages: { error: "/oops" } }, new MissingCSRF("no"), `${origin}/auth/signin?error=MissingCSRF`],
    [{ pages: { signIn: "/login" } }, new MissingCSRF("no"), `${origin}/login?error=MissingCSRF`],
    [{ pages: { signIn: "https://id.test/" } }, new MissingCSRF("no"), "https://id.test/?error=MissingCSRF"],
    [{ action: "session" }, new MissingCSRF("no"), `${origin}/auth/signin?error=MissingCSRF`],
  ])("%# redirects to the page for its error", async (asked, error, location) => {
    const { answer, internal } = site(asked)
    expect(await shown(await answer(failure(error)))).toEqual({ status: 302, headers: { location }, body: "" })
    expect(internal(failure(error))).toStrictEqual({ redirect: location, cookies: [] })
  })

  test("of a session update is status 400, because the client expects JSON", async () => {
    const { answer, internal } = site({ method: "POST", action: "session" })
    const refusal = failure(new AccessDenied("no"))
    expect(await shown(await answer(refusal))).toEqual({ status: 400, headers: isJson, body: "null" })
    expect(internal(refusal)).toMatchObject({ status: 400, body: null, cookies: [] })
    expect(internal(refusal).headers?.get("content-type")).toBe("application/json")
  })
})

describe("a tripped rate limit", () => {
  const url = `${origin}/auth/signin?error=RateLimited`

  test.each<Record<string, string>>([
    scripted,
    { accept: "application/json" },
    { "content-type": "application/json" },
    { accept: "text/html", "content-type": "application/json" },
  ])("answers a script (%j) with JSON", async (headers) => {
    const { answer } = site({ method: "POST", headers, pages: { signOut: "/bye" } })
    expect(await shown(await answer(failure(limited)))).toEqual({
      status: 429,
      headers: { ...isJson, "retry-after": "60" },
      body: JSON.stringify({ url }),
    })
  })

  test.each<Record<string, string>>([
    {},
    { accept: "text/html, application/json" },
    { accept: "*/*" },
    { "content-type": "application/x-www-form-urlencoded" },
  ])("answers a browser (%j) with the sign-in page", async (headers) => {
    const cookies = `__Secure-authjs.callback-url=${encodeURIComponent(`${origin}/kept`)}`
    const { answer } = site({ method: "POST", headers: { ...headers, cookie: cookies } })
    const response = await answer(failure(limited))
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "60"])
    expect(response.headers.getSetCookie()).toEqual([expect.stringContaining("csrf-token=")])
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    const html = await response.text()
    expect(html).toContain("Too many attempts")
    expect(html).toContain(`name="callbackUrl" value="${origin}/kept"`)
    expect(html).toMatch(/name="csrfToken" value="[0-9a-f]{64}"/)
  })

  test("redirects to a custom sign-in page with status 302", async () => {
    const { answer } = site({ method: "POST", pages: { signIn: "/login" } })
    const location = `${origin}/login?error=RateLimited`
    expect(await shown(await answer(failure(limited)))).toEqual({
      status: 302,
      headers: { location, "retry-after": "60" },
      body: "",
    })
  })

  test("is plain data for `raw` callers", () => {
    const { internal } = site({ method: "POST" })
    const { headers, ...rest } = internal(failure(limited))
    expect([rest, headers?.get("retry-after")]).toEqual([{ redirect: url, cookies: [], status: 429 }, "60"])
  })
})

test("every other result is plain data for `raw` callers", () => {
  const { internal, to } = site({})
  expect(internal(json({ a: 1 }, [cookie], 201))).toMatchObject({ status: 201, body: { a: 1 }, cookies: [cookie] })
  expect(internal({ kind: "json", body: 1, cookies: [] }).status).toBe(200)
  expect(internal(json(1)).headers?.get("content-type")).toBe("application/json")
  const gone = internal(redirect(to("error")))
  expect([gone.redirect, gone.headers?.get("location")]).toEqual([`${origin}/auth/error`, `${origin}/auth/error`])
  expect(internal({ kind: "empty", status: 404, cookies: [] })).toStrictEqual({ status: 404, cookies: [] })
  expect(internal({ kind: "page", page: { name: "verify-request" }, cookies: [] }).status).toBe(200)
  expect(internal(page({ name: "verify-request" }, [], 403)).status).toBe(403)
})

test.each([
  [400, "Bad request."],
  [403, "This page can't be shown in a frame."],
  [404, "Not found."],
  [405, "Method not allowed."],
  [413, "The request is too large."],
  [415, "The request is neither a form nor JSON."],
  [500, { message: "There is a problem with the server configuration. Its log says what to do." }],
])("the plain response with status %i has a message as its JSON body", async (status, sentence) => {
  expect(await shown(toResponse(plainAnswer(status)))).toEqual({
    status,
    headers: isJson,
    body: JSON.stringify(sentence),
  })
})

test.each([{}, { accept: "text/html" }, { accept: "application/json" }])(
  "without the built-in pages, a page is a plain refusal, and a redirect stays one (%j)",
  async (headers) => {
    const { withoutPages, to } = site({ headers })
    const shownPage = { name: "signout", csrfToken: undefined, callbackUrl: origin } as const
    expect(await shown(await withoutPages(page(shownPage)))).toEqual({
      status: 404,
      headers: isJson,
      body: '"Not found."',
    })
    expect((await withoutPages(redirect(to("error")))).status).toBe(302)
  },
)

test("a plain response can list the allowed methods, and another one redirects", async () => {
  expect(await shown(toResponse(plainAnswer(405, ["GET", "POST"])))).toMatchObject({
    headers: { ...isJson, allow: "GET, POST" },
  })
  expect(await shown(toResponse(plainAnswer(204, ["GET"])))).toEqual({
    status: 204,
    headers: { allow: "GET" },
    body: "",
  })
  const to = new URL("https://id.test/")
  expect(await shown(toResponse(toConfiguredPage(to)))).toEqual({
    status: 302,
    headers: { location: to.href },
    body: "",
  })
})
