import { describe, expect, test } from "vitest"
import { app, callbackCookie, cookieNames, location, origin, sessionCookie, sessionOf, setCookies } from "./app.js"

const dropped = `${sessionCookie}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`

describe("signing out of a sealed session", () => {
  test("clears the cookie, and the event gets the claims", async () => {
    const seen: unknown[] = []
    const { post } = app({ events: { signOut: (message) => void seen.push(message) } })
    const response = await post(
      "/auth/signout",
      { callbackUrl: "/bye" },
      { cookie: `${sessionCookie}=${await sessionOf({})}` },
    )
    expect([location(response), setCookies(response)[0]]).toEqual([`${origin}/bye`, dropped])
    expect(seen).toMatchObject([{ token: { sub: "id-ada" } }])
  })

  test("clears a cookie with an invalid token, without an event", async () => {
    const seen: unknown[] = []
    const { post } = app({ events: { signOut: (message) => void seen.push(message) } })
    const response = await post("/auth/signout", {}, { cookie: `${sessionCookie}=x` })
    expect([response.status, setCookies(response), seen]).toEqual([302, [dropped], []])
  })

  test("without a session redirects and clears nothing", async () => {
    const response = await app().post("/auth/signout")
    expect([location(response), cookieNames(response)]).toEqual([origin, []])
  })

  test("without a valid CSRF token doesn't end the session", async () => {
    const headers = { cookie: `${sessionCookie}=${await sessionOf({})}` }
    const response = await app().send("/auth/signout", { method: "POST", headers })
    expect([location(response), cookieNames(response)]).toEqual([`${origin}/auth/signin?error=MissingCSRF`, []])
  })

  test("by GET only shows a form", async () => {
    const response = await app().get("/auth/signout", { cookie: `${sessionCookie}=${await sessionOf({})}` })
    expect([response.status, cookieNames(response).includes(sessionCookie)]).toEqual([200, false])
  })
})

describe("custom pages", () => {
  const site = encodeURIComponent(origin)
  test.each([
    ["signIn", "/login", "/auth/signin", `/login?callbackUrl=${site}`],
    ["signIn", "/login", "/auth/signin?error=AccessDenied", `/login?callbackUrl=${site}&error=AccessDenied`],
    ["signIn", "/login", "/auth/signin?error=%3Cscript%3E", `/login?callbackUrl=${site}`],
    ["signIn", "/login", "/auth/signin/credentials", `/login?callbackUrl=${site}`],
    ["signIn", "https://login.test/x", "/auth/signin", `https://login.test/x?callbackUrl=${site}`],
    ["signOut", "/bye", "/auth/signout", "/bye"],
    ["error", "/oops", "/auth/error?error=AccessDenied", "/oops?error=AccessDenied"],
    ["error", "/oops", "/auth/error", "/oops"],
    ["error", "/oops?a=b#c", "/auth/error?error=Verification", "/oops?a=b&error=Verification#c"],
    ["verifyRequest", "/sent", "/auth/verify-request?provider=mail&type=email", "/sent?provider=mail&type=email"],
    ["verifyRequest", "/sent", "/auth/verify-request", "/sent"],
    [
      "verifyRequest",
      "/sent",
      "/auth/verify-request?plan=pro&error=%3Cscript%3E&callbackUrl=//evil.test",
      "/sent?plan=pro",
    ],
  ])("pages.%s = %s redirects GET %s to %s, without cookies", async (key, page, path, expected) => {
    const response = await app({ pages: { [key]: page } }).get(path)
    expect([response.status, location(response), cookieNames(response)]).toEqual([302, expected, []])
  })

  test("under strict, pages.verifyRequest gets only the provider and its type", async () => {
    const response = await app({ security: "strict", url: `${origin}/auth`, pages: { verifyRequest: "/sent" } }).get(
      "/auth/verify-request?plan=pro&provider=mail&type=email",
    )
    expect(location(response)).toBe("/sent?provider=mail&type=email")
  })

  test.each([
    ["/login?a=b", "/x", `/login?a=b&callbackUrl=${encodeURIComponent(`${origin}/x`)}`],
    ["/login", "https://evil.test", `/login?callbackUrl=${site}`],
  ])("pages.signIn = %s gets the callback URL %s in %s, and the cookie keeps it", async (signIn, callbackUrl, to) => {
    const response = await app({ pages: { signIn } }).get(`/auth/signin?callbackUrl=${callbackUrl}`)
    expect([response.status, location(response), cookieNames(response)]).toEqual([302, to, [callbackCookie]])
  })

  test.each([
    ["Configuration", 500],
    ["AccessDenied", 403],
    ["Verification", 403],
    ["constructor", 400],
    ["", 400],
  ])("the built-in error page for %j has status %i", async (error, status) => {
    expect((await app().get(`/auth/error?error=${error}`)).status).toBe(status)
  })
})
