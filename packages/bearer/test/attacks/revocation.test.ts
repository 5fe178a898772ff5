import { describe, expect, test } from "vitest"
import {
  api,
  app,
  authorizeUrl,
  codeFor,
  mint,
  minted,
  modes,
  post,
  read,
  redeem,
  refresh,
  signIn,
  siteOf,
  type SiteOptions,
  tokensOf,
} from "../site.js"

// What still works after a session or everything of a user has ended.

describe.each(modes)("%s", (mode) => {
  test("a session in a cookie makes no token and no grant after `revoke`, until the user signs in again", async () => {
    for (const stepUp of [true, false]) {
      const config = { session: { strategy: "jwt", stepUp } as const }
      const site = siteOf({
        mode,
        config,
        ...(mode === "strict" && { config: { ...config, security: { mode, revocableSessions: false } } }),
      })
      const thief = await signIn(site)
      site.clock.advance({ seconds: 5 })
      await site.server.revoke(site.idOf("ada"))
      site.clock.advance({ seconds: 5 })
      expect((await mint(thief)).status).toBe(403)
      expect(await codeFor(thief, { scope: "notes offline_access" })).toBe("")
      const ada = await signIn(site)
      expect(await codeFor(ada, { scope: "notes offline_access" })).not.toBe("")
    }
  })

  test("a token that is made while everything is revoked has ended, too", async () => {
    let release = () => {}
    const asked = new Promise<void>((resolve) => (release = resolve))
    let isAsked = false
    const claims = async () => ((isAsked = true), await asked, {})
    const site = siteOf({ mode, audiences: [api, "https://app.test"], claims })
    const ada = await signIn(site)
    const pending = minted(ada, { audience: "https://app.test" })
    await expect.poll(() => isAsked).toBe(true)
    await site.server.revoke(site.idOf("ada"))
    site.clock.advance({ seconds: 2 })
    release()
    const headers = { authorization: `Bearer ${await pending}` }
    expect(await read(await site.send("session", { headers }))).toBeNull()
  })

  test("without `offline_access`, an access token of an app ends with the session", async () => {
    const site = siteOf({ mode, audiences: ["https://app.test"] })
    const ada = await signIn(site)
    const { access_token: token } = await tokensOf(site, ada, { scope: "notes" })
    const headers = { authorization: `Bearer ${token}` }
    expect(await read(await site.send("session", { headers }))).not.toBeNull()
    await ada.signOut()
    expect(await read(await site.send("session", { headers }))).toBeNull()
  })
})

describe.each(modes)("with security: %s, of a user who is disabled", (mode) => {
  test("no app, page or token is accepted, and no new one is made until `enable`", async () => {
    const config = { session: { strategy: "jwt", stepUp: true } as const }
    const site = siteOf({
      mode,
      audiences: [api, "https://app.test"],
      config: mode === "strict" ? { ...config, security: { mode, revocableSessions: false } } : config,
    })
    const ada = await signIn(site)
    const [tokens, open] = [await tokensOf(site, ada, { resource: api }), await codeFor(ada, { resource: api })]
    const web = await minted(ada, { audience: "https://app.test" })
    const sessionOf = async (token: string) =>
      read(await site.send("session", { headers: { authorization: `Bearer ${token}` } }))
    expect(await sessionOf(web)).not.toBeNull()
    site.clock.advance({ seconds: 5 })
    await site.server.disable(site.idOf("ada"))
    site.clock.advance({ seconds: 5 })
    expect(await sessionOf(web)).toBeNull()
    expect((await refresh(site, tokens.refresh_token)).status).toBe(400)
    expect((await redeem(site, open)).status).toBe(400)
    expect((await mint(ada, { audience: api })).status).toBe(403)
    expect(await codeFor(ada, { resource: api })).toBe("")
    await site.server.enable(site.idOf("ada"))
    expect([await sessionOf(web), (await refresh(site, tokens.refresh_token)).status]).toEqual([null, 400])
    expect((await tokensOf(site, await signIn(site), { resource: api })).refresh_token).toBeDefined()
  })

  test("a session that is made at the very moment gets no token", async () => {
    const site = siteOf({ mode, audiences: [api, "https://app.test"] })
    const ada = await signIn(site)
    const records = site.store.records
    // As if the session was stored after `disable` had looked for it.
    const now = new Date(site.clock.now())
    const rest = { index1: null, index2: null, data: "{}", expiresAt: null }
    await records.insert({ kind: "core.disabled-user", key: site.idOf("ada"), owner: site.idOf("ada"), ...rest }, now)
    expect((await mint(ada, { audience: api })).status).toBe(403)
    expect(await codeFor(ada, { resource: api })).toBe("")
  })
})

test("a site that stores nothing about its tokens accepts none of a user who is disabled, and makes none", async () => {
  const { privateKey } = (await import("node:crypto")).generateKeyPairSync("ec", { namedCurve: "P-256" })
  const keys = [privateKey.export({ format: "jwk" }) as JsonWebKey]
  const site = siteOf({ clients: [], keys, audiences: ["https://app.test"], issuer: "https://app.test/auth/bearer" })
  const { records } = site.store
  const { createServer } = await import("@latchkey/core/server")
  const { visit } = await import("@latchkey/testing")
  const config = { ...site.config, records }
  const ada = await visit(config, { clock: site.clock })
  await ada.signInWith(site.op, { as: "ada" })
  const headers = { authorization: `Bearer ${await minted(ada)}` }
  const session = async () =>
    (await createServer(config).session({ headers: new Headers(headers), origin: "https://app.test" })).session
  expect(await session()).not.toBeNull()
  const [user, rest] = [site.idOf("ada"), { index1: null, index2: null, data: "{}", expiresAt: null }]
  await records.insert({ kind: "core.disabled-user", key: user, owner: user, ...rest }, new Date(site.clock.now()))
  expect(await session()).toBeNull()
  expect((await mint(ada)).status).toBe(403)
})

test("a token for another API is none here, whatever host a request names", async () => {
  const other = "https://api.app.test"
  const options: SiteOptions = { audiences: [other], issuer: "https://app.test/auth/bearer" }
  const site = siteOf({ ...options, config: { url: undefined, basePath: "/auth", trustHost: true } })
  const token = await minted(await signIn(site))
  const headers = { authorization: `Bearer ${token}`, host: "api.app.test", "x-forwarded-host": "api.app.test" }
  expect(await read(await site.send("session", { headers }))).toBeNull()
})

test("an API may ask about tokens as often as it's called, and only guesses of its secret are limited", async () => {
  const server = { id: "api", secret: "a-secret-of-at-least-32-characters!" }
  const site = siteOf({ introspection: [server], config: { rateLimit: {}, trustHost: true } })
  const ask = async (secret: string) => {
    const authorization = `Basic ${btoa(`api:${secret}`)}`
    const from = { authorization, "x-forwarded-for": "203.0.113.9" }
    return (await post(site, "bearer/introspect", { token: "junk" }, from)).status
  }
  const answers = new Set<number>()
  for (let call = 0; call < 310; call++) answers.add(await ask(server.secret))
  expect([...answers]).toEqual([200])
})

test("the page that asks the user names what an app may do", async () => {
  const site = siteOf({ scopes: ["notes", "admin"], clients: [app] })
  const browser = await signIn(site)
  await browser.get(await authorizeUrl({ scope: "admin offline_access" }))
  expect(browser.text).toContain("admin · offline_access")
})
