import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { isSignedIn, origin, returnUrl, signIn, signOut, siteOf, strategies } from "../site.js"

attack("OIDC-33", "the local session ends first, and the ID token is in no log and no referrer", async (mode) => {
  for (const session of Object.values(strategies)) {
    const site = siteOf({ mode, session })
    const { browser } = await signIn(site)
    await signOut(browser)
    const [response] = browser.trail
    expect(response?.headers.get("referrer-policy")).toBe("no-referrer")
    const hint = new URL(browser.location).searchParams.get("id_token_hint") ?? ""
    expect(hint).not.toBe("")
    expect(site.logs()).not.toContain(hint)
    expect(JSON.stringify(site.events)).not.toContain(hint)
    expect(await isSignedIn(browser)).toBe(false)
  }
})

attack("OIDC-34", "a return with another state leads to the signed-out page, and to no other site", async (mode) => {
  const site = siteOf({ mode })
  for (const change of [
    () => "",
    () => "another",
    (state: string) => `${state}x`,
    (state: string) => state.toLowerCase(),
    () => "another&to=https://evil.test&callbackUrl=https://evil.test&redirect_uri=//evil.test",
  ]) {
    const { browser } = await signIn(site)
    await signOut(browser)
    const state = new URL(browser.location).searchParams.get("state") ?? ""
    await browser.get(`${returnUrl}?state=${change(state)}`)
    expect(browser.location).toBe(`${origin}/auth/signout`)
    // The right one doesn't work after it.
    await browser.get(`${returnUrl}?state=${state}`)
    expect(browser.location).toBe(`${origin}/auth/signout`)
  }
})

attack("OIDC-35", "a return without a state, or in a browser that didn't leave, does the same", async (mode) => {
  const site = siteOf({ mode })
  const { browser } = await signIn(site)
  await signOut(browser, "federated", "/bye")
  const state = new URL(browser.location).searchParams.get("state") ?? ""
  const stranger = browser.fresh()
  await stranger.get(`${returnUrl}?state=${state}`)
  expect(stranger.location).toBe(`${origin}/auth/signout`)
  site.clock.advance({ minutes: 11 })
  await browser.get(`${returnUrl}?state=${state}`)
  expect(browser.location).toBe(`${origin}/auth/signout`)
})

attack("LOGOUT-07", "a sign-out leads to no other site, before and after the provider", async (mode) => {
  const site = siteOf({ mode })
  for (const target of [
    "https://evil.test",
    "//evil.test",
    "/\\evil.test",
    "https:evil.test",
    `${origin}.evil.test`,
    `${origin}@evil.test`,
    "javascript:alert(1)",
    "data:text/html,x",
    "/auth/../..//evil.test",
    "%2F%2Fevil.test",
  ]) {
    const { browser } = await signIn(site)
    await signOut(browser, "federated", target)
    const there = new URL(browser.location)
    expect([there.origin, there.searchParams.get("post_logout_redirect_uri")]).toEqual([site.op.issuer, returnUrl])
    const { location } = await site.op.endSession(browser.location)
    await browser.get(location ?? "")
    expect(new URL(browser.location).origin).toBe(origin)
  }
})

attack("LOGOUT-08", "another site can't sign a user out, here or at the provider", async (mode) => {
  const site = siteOf({ mode, always: true, frontChannel: true })
  const { browser, sid } = await signIn(site)
  const foreign = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
  for (const scope of ["this", "others", "all", "federated"]) {
    await browser.fetch("/auth/signout", { method: "POST", body: new URLSearchParams({ scope }), headers: foreign })
    await browser.fetch(`/auth/signout?scope=${scope}`, { headers: foreign })
  }
  for (const path of ["logout/leave", "logout/return", "logout/leave?id=x", "logout/return?state=x"])
    await browser.fetch(`/auth/${path}`, { headers: foreign })
  const image = { ...foreign, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }
  const known = new URLSearchParams({ iss: site.op.issuer, sid })
  expect((await browser.fetch(`/auth/frontchannel-logout/op?${known}`, { headers: image })).status).toBe(403)
  expect(await isSignedIn(browser)).toBe(true)
})

attack("OIDC-44", "a frame ends only the session that issuer and `sid` name", async (mode) => {
  const site = siteOf({ mode, frontChannel: true })
  const { browser, sid } = await signIn(site)
  const { issuer } = site.op
  for (const [provider, query] of [
    ["op", {}],
    ["op", { iss: issuer }],
    ["op", { sid }],
    ["op", { iss: "https://evil.test", sid }],
    ["op", { iss: site.other.issuer, sid }],
    ["op", { iss: issuer, sid: `${sid}x` }],
    ["op", { iss: issuer, sid: "" }],
    ["other", { iss: issuer, sid }],
    ["none", { iss: issuer, sid }],
    ["op", { iss: "https://evil.test; script-src *", sid: "x" }],
  ] as const) {
    const response = await site.send(`frontchannel-logout/${provider}?${new URLSearchParams(query)}`)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  }
  expect(await isSignedIn(browser)).toBe(true)
})
