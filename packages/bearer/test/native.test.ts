import { describe, expect, test } from "vitest"
import {
  api,
  app,
  authorizeUrl,
  claimsIn,
  codeFor,
  issuer,
  modes,
  post,
  read,
  redeem,
  redirectUri,
  refresh,
  signIn,
  siteOf,
  type Tokens,
  tokensOf,
  verifierOf,
} from "./site.js"

describe.each(modes)("an app (%s)", (mode) => {
  test("signs a user in with the browser, the sign-in page and one question", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await browser.get(await authorizeUrl())
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
    await browser.submitForm("signin/op")
    await browser.consentAt(site.op, { as: "ada" })
    expect(new URL(browser.location).pathname).toBe("/auth/bearer/authorize")
    expect(browser.text).toContain("Sign in to Example App")
    expect(browser.text).toContain("ada@users.test")
    await browser.submitForm("bearer/authorize")
    const back = new URL(browser.location)
    expect(back.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(back.searchParams.get("state")).toBe("state-1")
    expect(back.searchParams.get("iss")).toBe(issuer)
    const response = await redeem(site, back.searchParams.get("code") ?? "")
    expect(response.headers.get("cache-control")).toContain("no-store")
    const tokens = await read<Tokens>(response)
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 600, scope: "notes offline_access" })
    expect(await verifierOf(site)(tokens.access_token)).toMatchObject({
      sub: site.idOf("ada"),
      aud: api,
      client_id: "app",
      scope: "notes offline_access",
      amr: ["fed"],
    })
    expect(site.events).toContainEqual(expect.objectContaining({ name: "bearer.authorized", outcome: "success" }))
  })

  test("is told that the user didn't agree", async () => {
    const browser = await signIn(siteOf({ mode }))
    await browser.get(await authorizeUrl())
    await browser.submitForm(1)
    const { searchParams } = new URL(browser.location)
    expect([searchParams.get("error"), searchParams.get("state")]).toEqual(["access_denied", "state-1"])
    expect(searchParams.get("code")).toBeNull()
  })

  test("lets Chromium follow the redirect to the app", async () => {
    const browser = await signIn(siteOf({ mode }))
    const page = await browser.get(await authorizeUrl())
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' com.example.app:;")
  })

  test("may listen at any port of the own machine", async () => {
    const site = siteOf({ mode })
    const browser = await signIn(site)
    const uri = "http://127.0.0.1:49152/cb"
    const code = await codeFor(browser, { redirect_uri: uri })
    expect((await redeem(site, code, { redirect_uri: uri })).status).toBe(200)
  })

  test("refreshes with a new refresh token each time", async () => {
    const site = siteOf({ mode })
    const first = await tokensOf(site, await signIn(site))
    site.clock.advance({ minutes: 10 })
    const second = await read<Tokens>(await refresh(site, first.refresh_token))
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(claimsIn(second.access_token)["auth_time"]).toBe(claimsIn(first.access_token)["auth_time"])
    expect((await refresh(site, second.refresh_token)).status).toBe(200)
  })

  test("gets the same answer for the same refresh token within 30 seconds, also in 20 parallel requests", async () => {
    const site = siteOf({ mode })
    const { refresh_token } = await tokensOf(site, await signIn(site))
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await refresh(site, refresh_token)
        return [response.status, await response.text()].join(" ")
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^200 /)
    site.clock.advance({ seconds: 30 })
    const again = await refresh(site, refresh_token)
    expect(`${again.status} ${await again.text()}`).toBe(answers[0])
    const { refresh_token: next }: Tokens = JSON.parse(answers[0]?.slice(4) ?? "")
    expect((await refresh(site, next)).status).toBe(200)
  })

  test("is signed out by a refresh token that was used before, and so is a thief", async () => {
    const site = siteOf({ mode })
    const first = await tokensOf(site, await signIn(site))
    const second = await read<Tokens>(await refresh(site, first.refresh_token))
    site.clock.advance({ seconds: 31 })
    expect(await (await refresh(site, first.refresh_token)).json()).toMatchObject({ error: "invalid_grant" })
    expect((await refresh(site, second.refresh_token)).status).toBe(400)
    expect(site.events).toContainEqual(expect.objectContaining({ name: "bearer.token-reused", outcome: "failure" }))
  })

  test("asks the user again after 30 days without a refresh, and after 90 days in any case", async () => {
    const site = siteOf({ mode })
    const idle = await tokensOf(site, await signIn(site))
    site.clock.advance({ days: 30, seconds: 1 })
    expect((await refresh(site, idle.refresh_token)).status).toBe(400)
    let used = await tokensOf(site, await signIn(site))
    for (const days of [29, 29, 29]) {
      site.clock.advance({ days })
      used = await read<Tokens>(await refresh(site, used.refresh_token))
    }
    site.clock.advance({ days: 3, seconds: 1 })
    expect((await refresh(site, used.refresh_token)).status).toBe(400)
  })

  test("is signed out when everything of the user is revoked", async () => {
    const site = siteOf({ mode })
    const { refresh_token } = await tokensOf(site, await signIn(site))
    const code = await codeFor(await signIn(site))
    await site.server.revoke(site.idOf("ada"))
    expect((await refresh(site, refresh_token)).status).toBe(400)
    expect((await redeem(site, code)).status).toBe(400)
  })

  test("is signed out with the browser, unless the user granted offline access", async () => {
    const site = siteOf({ mode })
    const browser = await signIn(site)
    const bound = await tokensOf(site, browser, { scope: "notes" })
    const offline = await tokensOf(site, browser)
    expect((await refresh(site, bound.refresh_token)).status).toBe(200)
    const late = await codeFor(browser)
    await browser.signOut()
    expect((await refresh(site, bound.refresh_token)).status).toBe(400)
    expect((await refresh(site, offline.refresh_token)).status).toBe(200)
    expect((await redeem(site, late)).status).toBe(400)
  })

  test("is signed out if the user no longer exists, or the application refuses", async () => {
    let isRefused = false
    const site = siteOf({ mode, claims: () => (isRefused ? null : {}) })
    const tokens = await tokensOf(site, await signIn(site))
    isRefused = true
    expect((await refresh(site, tokens.refresh_token)).status).toBe(400)
    isRefused = false
    expect((await refresh(site, tokens.refresh_token)).status).toBe(200)
    await site.store.deleteUser(site.idOf("ada"))
    expect((await refresh(site, tokens.refresh_token)).status).toBe(400)
  })

  test("signs its user out (RFC 7009)", async () => {
    const site = siteOf({ mode })
    const { refresh_token: token, access_token } = await tokensOf(site, await signIn(site))
    const other = await post(site, "bearer/revoke", { client_id: "unknown", token })
    expect([other.status, (await read(other))["error"]]).toEqual([401, "invalid_client"])
    expect((await post(site, "bearer/revoke", { client_id: app.id, token: access_token })).status).toBe(400)
    expect((await refresh(site, token)).status).toBe(200)
    expect((await post(site, "bearer/revoke", { client_id: app.id, token })).status).toBe(200)
    expect((await post(site, "bearer/revoke", { client_id: app.id, token: "unknown" })).status).toBe(200)
    expect((await refresh(site, token)).status).toBe(400)
  })
})

test("with a session that is only in a cookie, an app without offline access gets no refresh token", async () => {
  const site = siteOf({ config: { session: { strategy: "jwt" } } })
  const browser = await signIn(site)
  expect(await tokensOf(site, browser, { scope: "notes" })).not.toHaveProperty("refresh_token")
  expect(await tokensOf(site, browser)).toHaveProperty("refresh_token")
})

describe("the user", () => {
  test("sees the apps on the account page, and signs out of them", async () => {
    const site = siteOf()
    const browser = await signIn(site)
    const { refresh_token } = await tokensOf(site, browser)
    await browser.get("/auth/account")
    expect(browser.text).toContain("Example App, since")
    await browser.submitForm("bearer/end")
    expect(browser.text).not.toContain("Example App, since")
    expect((await refresh(site, refresh_token)).status).toBe(400)
  })

  test("can't sign another user out", async () => {
    const site = siteOf()
    const { refresh_token } = await tokensOf(site, await signIn(site))
    const [family] = await site.bearer.apps(site.idOf("ada"))
    expect(family).toMatchObject({ clientId: "app", name: "Example App" })
    const eve = await signIn(site, "eve")
    await eve.post("/auth/bearer/end", { csrfToken: (await eve.csrf()) ?? "", app: family?.id ?? "" })
    expect(await site.bearer.endApp(site.idOf("eve"), family?.id ?? "")).toBe(false)
    expect((await refresh(site, refresh_token)).status).toBe(200)
    expect(await site.bearer.endApp(site.idOf("ada"), family?.id ?? "")).toBe(true)
  })
})

describe("an API that asks (RFC 7662)", () => {
  const secret = "an-api-secret-of-more-than-32-characters"
  const introspection = [{ id: "api", secret }]
  const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` })

  test("learns what a token says, and whether it's still active", async () => {
    const site = siteOf({ introspection })
    const { access_token: token } = await tokensOf(site, await signIn(site))
    const ask = async (headers = basic(`api:${secret}`)) => post(site, "bearer/introspect", { token }, headers)
    expect(await (await ask()).json()).toMatchObject({ active: true, sub: site.idOf("ada"), client_id: "app" })
    const refused = await ask(basic("api:wrong"))
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Basic"])
    expect((await post(site, "bearer/introspect", { token })).status).toBe(401)
    const [signedIn] = await site.bearer.apps(site.idOf("ada"))
    await site.bearer.endApp(site.idOf("ada"), signedIn?.id ?? "")
    expect(await (await ask()).json()).toEqual({ active: false })
  })

  test("learns nothing about a token for another API", async () => {
    const audiences = [api, "https://other.test"]
    const site = siteOf({ audiences, introspection: [{ id: "api", secret, audience: "https://other.test" }] })
    const { access_token: token } = await tokensOf(site, await signIn(site), { resource: api })
    const answer = await post(site, "bearer/introspect", { token }, basic(`api:${secret}`))
    expect(await answer.json()).toEqual({ active: false })
  })

  test("learns that everything of a user was revoked", async () => {
    const site = siteOf({ introspection })
    const { access_token: token } = await tokensOf(site, await signIn(site))
    site.clock.advance({ minutes: 1 })
    await site.server.revoke(site.idOf("ada"))
    const answer = await post(site, "bearer/introspect", { token }, basic(`api:${secret}`))
    expect(await answer.json()).toEqual({ active: false })
  })
})
