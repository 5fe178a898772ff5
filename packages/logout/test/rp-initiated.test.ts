import { InvalidConfig } from "@latchkey/core/errors"
import { createServer } from "@latchkey/core/server"
import { describe, expect, test } from "vitest"
import { logout } from "../src/index.js"
import { isSignedIn, origin, returnUrl, signIn, signOut, siteOf, strategies, visitorOf } from "./site.js"

const paramsOf = (location: string) => Object.fromEntries(new URL(location).searchParams)

describe.each(Object.entries(strategies))("sessions %s", (_, session) => {
  test("a federated sign-out ends the session, then leads to the provider and back", async () => {
    const site = siteOf({ session })
    const { browser } = await signIn(site)
    await signOut(browser)
    expect(await isSignedIn(browser)).toBe(false)
    expect(site.reasons).toEqual(["federated"])
    expect(browser.location.startsWith(`${site.op.issuer}/`)).toBe(true)
    expect(paramsOf(browser.location)).toEqual({
      client_id: site.op.clientId,
      post_logout_redirect_uri: returnUrl,
      id_token_hint: expect.stringMatching(/^eyJ/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    const { location } = await site.op.endSession(browser.location)
    await browser.get(location ?? "")
    expect(browser.location).toBe(`${origin}/bye`)
    expect(site.logs()).not.toContain("eyJ")
  })

  test("server code gets the URL of the provider", async () => {
    const site = siteOf({ session })
    const { browser } = await signIn(site)
    const { to, cookies } = await site.server.signOut(visitorOf(browser), { scope: "federated" })
    expect(to.startsWith(`${site.op.issuer}/`)).toBe(true)
    expect(cookies.map(({ name }) => name)).toContain("__Host-authjs.logout.state")
    expect(await isSignedIn(browser)).toBe(false)
  })

  test("other scopes stay here, unless every sign-out is federated", async () => {
    const site = siteOf({ session })
    for (const scope of ["this", "all"]) {
      const { browser } = await signIn(site)
      await signOut(browser, scope)
      expect(browser.location).toBe(`${origin}/bye`)
    }
    const always = siteOf({ session, always: true })
    const { browser } = await signIn(always)
    await signOut(browser, "this")
    expect(browser.location.startsWith(`${always.op.issuer}/`)).toBe(true)
  })
})

test("without the ID token, the provider gets the client and a hint about the user", async () => {
  const site = siteOf({ keepIdTokens: false })
  const { browser } = await signIn(site)
  await signOut(browser)
  expect(paramsOf(browser.location)).toMatchObject({ client_id: site.op.clientId, logout_hint: "ada@example.test" })
  expect(paramsOf(browser.location)).not.toHaveProperty("id_token_hint")
})

test("a URL that would be too long is posted", async () => {
  const site = siteOf()
  site.op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, groups: "g".repeat(3000) } }) })
  const { browser } = await signIn(site)
  await signOut(browser)
  expect(browser.location.startsWith(`${origin}/auth/logout/leave?id=`)).toBe(true)
  const page = browser.location
  const [form] = browser.forms
  expect(form?.action.startsWith(`${site.op.issuer}/`)).toBe(true)
  expect(browser.text).toContain('name="id_token_hint"')
  expect(browser.text).toContain(`value="${returnUrl}"`)
  expect(browser.response.headers.get("content-security-policy")).toContain(`form-action ${site.op.issuer}`)
  await browser.get(page)
  expect(browser.location).toBe(`${origin}/auth/signout`)
})

test.each([
  ["can't be reached", () => Promise.reject(new TypeError("fetch failed")), 1],
  ["has no such endpoint", undefined, 0],
])("if the provider %s, the user is signed out here and goes on", async (_, answer, failures) => {
  const site = siteOf({ clearSiteData: ["cache", "storage"] })
  const { browser } = await signIn(site)
  site.clock.advance({ hours: 25 })
  site.op.inject(
    answer === undefined
      ? { discovery: (given) => ({ ...given, body: { ...Object(given.body), end_session_endpoint: undefined } }) }
      : { answer },
  )
  await signOut(browser)
  expect(await isSignedIn(browser)).toBe(false)
  expect(browser.location).toBe(`${origin}/bye`)
  expect(browser.trail[0]?.headers.get("clear-site-data")).toBe('"cache", "storage"')
  expect(site.events.filter(({ name }) => name === "logout.unreachable")).toHaveLength(failures)
})

test("a session of another kind of sign-in, and none at all, end here", async () => {
  const site = siteOf()
  const browser = await site.open()
  await signOut(browser)
  expect(browser.location).toBe(`${origin}/bye`)
})

test.each([
  ["logoutStateWrong", { state: "another" }],
  ["logoutStateMissing", {}],
])("a return with %s leads to the signed-out page", async (_, sent) => {
  const site = siteOf()
  const { browser } = await signIn(site)
  await signOut(browser, "federated", "/bye")
  await browser.get(`${returnUrl}?${new URLSearchParams(sent)}`)
  expect(browser.location).toBe(`${origin}/auth/signout`)
})

test("sessions that can't be ended are a configuration error, and so is an unknown option", async () => {
  const { config } = siteOf()
  const sealed = { ...config, session: { strategy: "jwt" }, security: { mode: "compatible", revocableSessions: false } }
  const server = createServer(sealed as typeof config)
  const visitor = { headers: new Headers(), origin }
  await expect(server.signOut(visitor, { scope: "federated" })).rejects.toThrow(/security\.revocableSessions/)
  const wrong = createServer({ ...config, modules: [logout({ clearSiteData: ["cookies" as "cache"] })] })
  await expect(wrong.signOut(visitor)).rejects.toThrow(InvalidConfig)
})
