import { expect, test } from "vitest"
import { isSignedIn, origin, signIn, signOut, siteOf, type SiteOptions } from "./site.js"

// Providers as they document themselves, beside the ones that tests/relying-party runs.

/** Keycloak 25 and newer: the type is also a claim, and the session is named if the client asks for it. */
const keycloak: SiteOptions = { op: { issuer: "https://id.test/realms/acme", algorithm: "RS256" } }

test.each([
  ["the session, as `Backchannel logout session required` says", true, [false, true]],
  ["the user", false, [false, false]],
])("Keycloak names %s", async (_, namesSession, left) => {
  const site = siteOf(keycloak)
  const [one, two] = [await signIn(site), await signIn(site)]
  const events = { "http://schemas.openid.net/event/backchannel-logout": {}, revoke_offline_access: true }
  const token = await site.op.logoutToken({ as: "ada", ...(namesSession && { sid: one.sid }) }, (made) => ({
    ...made,
    claims: { ...made.claims, typ: "Logout", events },
  }))
  expect((await site.tell(token)).status).toBe(200)
  expect([await isSignedIn(one.browser), await isSignedIn(two.browser)]).toEqual(left)
})

test("Keycloak ends its session without a question for the ID token, and returns with the state", async () => {
  const site = siteOf(keycloak)
  const { browser } = await signIn(site)
  await signOut(browser)
  expect(browser.location.startsWith("https://id.test/realms/acme/")).toBe(true)
  const { location } = await site.op.endSession(browser.location)
  await browser.get(location ?? "")
  expect(browser.location).toBe(`${origin}/bye`)
})

const tenant = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"

/** Microsoft Entra ID: front-channel logout alone, and the optional claims `sid` and `login_hint`. */
function entra(options: SiteOptions = {}) {
  const site = siteOf({ op: { issuer: tenant, id: "microsoft-entra-id" }, frontChannel: true, ...options })
  site.op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, login_hint: "O.CiQw-opaque" } }) })
  return site
}

test("Entra opens a frame with issuer and session", async () => {
  const site = entra()
  const [one, two] = [await signIn(site), await signIn(site)]
  const query = new URLSearchParams({ iss: tenant, sid: one.sid })
  const { headers } = await site.send(`frontchannel-logout/microsoft-entra-id?${query}`)
  expect(headers.get("content-security-policy")).toContain("frame-ancestors https://login.microsoftonline.com")
  expect([await isSignedIn(one.browser), await isSignedIn(two.browser)]).toEqual([false, true])
})

test("Entra gets the claim `login_hint`, so it asks no user which account signs out", async () => {
  const site = entra({ keepIdTokens: false })
  const { browser } = await signIn(site)
  await signOut(browser)
  expect(new URL(browser.location).searchParams.get("logout_hint")).toBe("O.CiQw-opaque")
})
