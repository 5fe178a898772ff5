import { defineModule, route } from "@latchkey/core/module"
import { describe, expect, test } from "vitest"
import { generateKey } from "../src/keys/jwk.js"
import { api, claimsIn, issuer, mint, minted, modes, read, signIn, siteOf, verifierOf } from "./site.js"

describe.each(modes)("a page of the site (%s)", (mode) => {
  test("gets an access token for an API, which verifies it with the published keys", async () => {
    const site = siteOf({ mode })
    const browser = await signIn(site)
    const response = await mint(browser, { scope: "notes" })
    const body = await read(response)
    expect(body).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 600, scope: "notes" })
    expect(response.headers.get("cache-control")).toContain("no-store")
    const now = Math.floor(site.clock.now() / 1000)
    expect(await verifierOf(site)(body["access_token"] ?? "")).toEqual({
      iss: issuer,
      sub: site.idOf("ada"),
      aud: api,
      client_id: "web",
      iat: now,
      exp: now + 600,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      scope: "notes",
      auth_time: now,
      amr: ["fed"],
    })
    expect(Buffer.from((body["access_token"] ?? "").split(".")[0] ?? "", "base64url").toString()).toMatch(
      /^\{"alg":"ES256","typ":"at\+jwt","kid":"[\w-]{43}"\}$/,
    )
  })

  test("gets none without a session, an audience that isn't configured, or a scope", async () => {
    const site = siteOf({ mode, audiences: [api, "https://other.test"] })
    const stranger = await site.open()
    expect((await mint(stranger, { audience: api })).status).toBe(401)
    const browser = await signIn(site)
    expect(await (await mint(browser)).json()).toMatchObject({ error: "invalid_target" })
    expect(await (await mint(browser, { audience: "https://evil.test" })).json()).toMatchObject({
      error: "invalid_target",
    })
    expect(await (await mint(browser, { audience: api, scope: "admin" })).json()).toMatchObject({
      error: "invalid_scope",
    })
    expect((await mint(browser, { audience: api })).status).toBe(200)
  })

  test("gets none once the session has ended, or everything of the user was revoked", async () => {
    const site = siteOf({ mode })
    const [browser, other] = [await signIn(site), await signIn(site)]
    await site.server.revoke(site.idOf("ada"))
    for (const each of [browser, other]) expect((await mint(each)).status).toBe(401)
  })

  test("gets none once everything of the user was revoked, also with a session that is only in a cookie", async () => {
    const session = { strategy: "jwt", stepUp: true } as const
    const site = siteOf({ mode, config: { session, security: { mode, revocableSessions: false } } })
    const browser = await signIn(site)
    expect((await mint(browser)).status).toBe(200)
    await site.server.revoke(site.idOf("ada"))
    expect(await browser.session()).not.toBeNull()
    expect((await mint(browser)).status).toBe(403)
    site.clock.advance({ seconds: 1 })
    expect((await mint(await signIn(site))).status).toBe(200)
  })

  test("goes on with the session that stays when the others end, as after a new password", async () => {
    const ends = defineModule({
      id: "ends",
      load: async () => ({
        routes: [
          route("POST", "others", { csrf: false }, async ({ users, empty }, { id }) => {
            await users.endSessions(id, { except: "current" })
            return empty(204)
          }),
        ],
      }),
    })
    const site = siteOf({ mode, config: { modules: [ends] } })
    const [browser, other] = [await signIn(site), await signIn(site)]
    expect((await browser.fetch("/auth/ends/others", { method: "POST" })).status).toBe(204)
    expect([(await mint(browser)).status, (await mint(other)).status]).toEqual([200, 401])
  })

  test("gets none if the application refuses, and its claims otherwise, but none that the token has itself", async () => {
    const refusing = siteOf({ mode, claims: () => null })
    expect((await mint(await signIn(refusing))).status).toBe(403)
    const asked: unknown[] = []
    const site = siteOf({
      mode,
      claims: (request) => (asked.push(request), { plan: "pro", sub: "eve", nbf: 0, exp: 9e9 }),
    })
    const claims = claimsIn(await minted(await signIn(site)))
    expect(claims).toMatchObject({ plan: "pro", sub: site.idOf("ada"), exp: Number(claims["iat"]) + 600 })
    expect(claims).not.toHaveProperty("nbf")
    expect(asked).toEqual([{ userId: site.idOf("ada"), clientId: "web", audience: api, scope: [] }])
  })

  test("is limited to 60 tokens in a minute", async () => {
    const site = siteOf({ mode, config: { rateLimit: {} } })
    const browser = await signIn(site)
    const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await mint(browser)).status))
    expect(statuses.filter((status) => status !== 200)).toEqual([429])
  })
})

describe("server code", () => {
  test("gets a token for the user of a request, or null", async () => {
    const site = siteOf()
    const browser = await signIn(site)
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const request = new Request("https://app.test/page", { headers: { cookie } })
    const found = await site.bearer.mint(request, { scope: ["notes"] })
    expect(await verifierOf(site)(found?.accessToken ?? "")).toMatchObject({ sub: site.idOf("ada"), scope: "notes" })
    expect(found?.expiresAt.getTime()).toBe(site.clock.now() + 600_000)
    expect(await site.bearer.mint(new Request("https://app.test/page"))).toBeNull()
    await expect(site.bearer.mint(request, { audience: "https://evil.test" })).rejects.toThrow(TypeError)
  })
})

test("with EdDSA and keys of the configuration, nothing is stored and the others are only published", async () => {
  const keys = await Promise.all([1, 2].map(async () => generateKey("EdDSA")))
  const site = siteOf({ keys, clients: [], config: { adapter: undefined as never, session: { strategy: "jwt" } } })
  const token = await minted(await signIn(site))
  expect(await verifierOf(site)(token)).toMatchObject({ aud: api })
  const { keys: published } = await read<{ readonly keys: readonly object[] }>(await site.send("bearer/jwks"))
  expect(published).toHaveLength(2)
  expect(JSON.stringify(published)).not.toContain('"d"')
  expect(site.store.rows().records ?? []).toEqual([])
})
