import { describe, expect, test } from "vitest"
import { attack } from "../../../../tests/attack.js"
import {
  app,
  authorizeUrl,
  challengeOf,
  codeFor,
  minted,
  modes,
  post,
  read,
  redeem,
  redirectUri,
  refresh,
  signIn,
  siteOf,
  type SiteOptions,
  type Tokens,
  tokensOf,
  verifierText,
} from "../site.js"

// Sign-in for apps, and the endpoints for tokens.

const other = { id: "other", redirectUris: ["com.other.app:/cb"] }

attack("BEAR-09", "a code works once, also in 20 parallel requests, and a replay ends what it gave", async (mode) => {
  const site = siteOf({ mode })
  const code = await codeFor(await signIn(site))
  const first = await redeem(site, code)
  expect(first.status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 20 }, async () => redeem(site, code)))
  expect(answers.filter(({ status }) => status === 200)).toEqual([])
  expect((await refresh(site, (await read<Tokens>(first)).refresh_token)).status).toBe(400)
  const parallel = await codeFor(await signIn(site))
  const winners = await Promise.all(Array.from({ length: 20 }, async () => redeem(site, parallel)))
  expect(winners.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  expect(await site.bearer.apps(site.idOf("ada"))).toEqual([])
})

attack("BEAR-18", "a replay that arrives while the code is redeemed ends what it gives", async (mode) => {
  for (const scope of ["notes offline_access", "notes"]) {
    let replay = async (): Promise<unknown> => undefined
    const site = siteOf({ mode, claims: async () => (await replay(), {}) })
    const code = await codeFor(await signIn(site), { scope })
    const replays: number[] = []
    replay = async () => {
      replay = async () => undefined
      replays.push((await redeem(site, code)).status)
    }
    const response = await redeem(site, code)
    expect(replays).toEqual([400])
    const { refresh_token = "" } = await read<Partial<Tokens>>(response)
    expect((await refresh(site, refresh_token)).status).toBe(400)
    expect(await site.bearer.apps(site.idOf("ada"))).toEqual([])
  }
})

attack("BEAR-10", "a code ends after a minute, and is for its app, its redirect URI and its verifier", async (mode) => {
  const site = siteOf({ mode, clients: [app, other] })
  const browser = await signIn(site)
  const late = await codeFor(browser)
  site.clock.advance({ seconds: 61 })
  expect((await redeem(site, late)).status).toBe(400)
  const changes = [
    { client_id: "other" },
    { client_id: "unknown" },
    { redirect_uri: "http://127.0.0.1/cb" },
    { redirect_uri: "" },
    { code_verifier: "" },
    { code_verifier: "x".repeat(43) },
    { code_verifier: await challengeOf(verifierText) },
    { grant_type: "password" },
    { grant_type: "" },
    { code: "x" },
  ]
  for (const change of changes) {
    const response = await redeem(site, await codeFor(browser), change)
    expect([change, response.status]).toEqual([
      change,
      "client_id" in change && change.client_id === "unknown" ? 401 : 400,
    ])
    expect(await response.json()).not.toHaveProperty("access_token")
  }
})

attack("BEAR-11", "PKCE can't be left out or weakened", async (mode) => {
  const site = siteOf({ mode })
  const browser = await signIn(site)
  const changes = [
    { code_challenge: undefined },
    { code_challenge_method: undefined },
    { code_challenge_method: "plain" },
    { code_challenge_method: "s256" },
    { code_challenge: "short" },
    { code_challenge: "=".repeat(43) },
    { response_type: "token" },
    { response_type: "code token" },
    { response_type: undefined },
    { scope: "admin" },
    { resource: "https://evil.test" },
  ]
  for (const change of changes) {
    await browser.get(await authorizeUrl(change))
    const { searchParams, protocol } = new URL(browser.location)
    expect([change, protocol, searchParams.get("code")]).toEqual([change, "com.example.app:", null])
    expect(searchParams.get("error")).toMatch(/^(?:invalid_(?:request|scope|target)|unsupported_response_type)$/)
    expect(searchParams.get("state")).toBe("state-1")
  }
})

attack(
  "BEAR-12",
  "the browser returns to registered redirect URIs alone, and to no other with an error",
  async (mode) => {
    const https = "https://app.example.com/cb"
    const site = siteOf({ mode, clients: [{ ...app, redirectUris: [...app.redirectUris, https] }] })
    const browser = await signIn(site)
    const uris = [
      "https://evil.test/",
      `${redirectUri}/`,
      `${redirectUri}?a=b`,
      `${redirectUri}#a`,
      "com.example.app:/",
      "com.example.app:/signed-in%2f",
      "COM.EXAMPLE.APP:/signed-in",
      "com.example.app.evil:/signed-in",
      "com.example.app://signed-in",
      `${https}.evil.test`,
      `${https}/`,
      `${https}/../evil`,
      "https://app.example.com/cB",
      "https://app.example.com:443/cb",
      "https://user@app.example.com/cb",
      "https://app.example.com@evil.test/cb",
      "https://app.example.com\\@evil.test/cb",
      "http://app.example.com/cb",
      "http://127.0.0.1:1/cb/",
      "http://127.0.0.1:1/CB",
      "http://127.0.0.1:99999/cb",
      "http://127.0.0.1:1@evil.test/cb",
      "http://127.0.0.1.evil.test:1/cb",
      "http://localhost:1/cb",
      "http://127.1:1/cb",
      "http://[::1]:1/cb",
      "https://127.0.0.1:1/cb",
      "javascript:alert(1)",
      "data:text/html,x",
      "",
    ]
    for (const redirect_uri of uris) {
      const response = await browser.get(await authorizeUrl({ redirect_uri }))
      expect([redirect_uri, response.status, new URL(browser.location).origin]).toEqual([
        redirect_uri,
        400,
        "https://app.test",
      ])
      expect(browser.text).not.toContain("evil")
    }
    await browser.get(await authorizeUrl({ client_id: "unknown" }))
    expect(browser.response.status).toBe(400)
    expect((await browser.get(await authorizeUrl({ redirect_uri: https }))).status).toBe(200)
  },
)

attack("BEAR-13", "a refresh token is for its app, and one that is changed or made up is none", async (mode) => {
  const site = siteOf({ mode, clients: [app, other] })
  const { refresh_token, access_token } = await tokensOf(site, await signIn(site))
  const changed = `${refresh_token.slice(0, -4)}AAAA`
  for (const token of [changed, "", "x", access_token, refresh_token.toLowerCase()])
    expect((await refresh(site, token)).status).toBe(400)
  expect((await post(site, "bearer/revoke", { client_id: "other", token: refresh_token })).status).toBe(200)
  const stolen = await refresh(site, refresh_token, { client_id: "other" })
  expect(await stolen.json()).toMatchObject({ error: "invalid_grant" })
  expect((await refresh(site, refresh_token)).status).toBe(200)
})

attack("ADV-BA-18", "the metadata promises what is enforced, and no more", async (mode) => {
  const site = siteOf({ mode, clients: [app, other] })
  const metadata = await read<Readonly<Record<string, unknown>>>(
    await site.send("bearer/.well-known/oauth-authorization-server"),
  )
  expect(metadata).toMatchObject({
    code_challenge_methods_supported: ["S256"],
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
  })
  expect(metadata).not.toHaveProperty("registration_endpoint")
  const browser = await signIn(site)
  const { refresh_token } = await tokensOf(site, browser)
  const refused = [
    await refresh(site, refresh_token, { client_id: "" }),
    await refresh(site, refresh_token, { client_id: other.id }),
    await refresh(site, refresh_token, { resource: "https://other.test" }),
    await post(site, "bearer/token", { grant_type: "client_credentials", client_id: app.id }),
    await post(site, "bearer/token", { grant_type: "password", client_id: app.id, username: "ada", password: "x" }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([401, 400, 400, 400, 400])
  const code = await codeFor(browser)
  expect(await (await redeem(site, code, { resource: "https://other.test" })).json()).toMatchObject({
    error: "invalid_target",
  })
  expect((await refresh(site, refresh_token, { resource: "https://api.test" })).status).toBe(200)
  for (const changes of [{ code_challenge_method: "plain" }, { resource: "https://other.test" }]) {
    await browser.get(await authorizeUrl(changes))
    expect(new URL(browser.location).searchParams.get("error")).toMatch(/^invalid_(?:request|target)$/)
  }
  await browser.get(await authorizeUrl({ redirect_uri: "javascript:alert(1)" }))
  expect([browser.response.status, new URL(browser.location).origin]).toEqual([400, "https://app.test"])
})

attack("BEAR-14", "no page of another site gets a token, or a code without the user", async (mode) => {
  const site = siteOf({ mode })
  const browser = await signIn(site)
  const from = { from: "https://evil.test/" }
  const csrfToken = (await browser.csrf()) ?? ""
  for (const fields of [{}, { csrfToken: "0".repeat(64) }, { csrfToken }] as const) {
    const body = new URLSearchParams(fields)
    const response = await browser.fetch("/auth/bearer/mint", { method: "POST", body, ...from })
    expect(await response.text()).not.toContain("access_token")
  }
  expect((await browser.get("/auth/bearer/mint")).status).toBe(405)
  await browser.get(await authorizeUrl())
  const request = browser.forms.find(({ action }) => action.endsWith("bearer/authorize"))?.fields["request"] ?? ""
  await browser.post("/auth/bearer/authorize", { csrfToken, request }, from)
  expect(browser.location).not.toContain("code=")
  const page = await browser.get(await authorizeUrl())
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  // What Ada was asked isn't an answer of Eve.
  const eve = await signIn(site, "eve")
  await eve.post("/auth/bearer/authorize", { csrfToken: (await eve.csrf()) ?? "", request })
  expect(eve.location).not.toContain("code=")
  await eve.post("/auth/bearer/authorize", { csrfToken: (await eve.csrf()) ?? "", request: "x" })
  expect(eve.response.status).toBe(400)
})

attack("BEAR-15", "scripts of listed origins alone read the endpoints, and never with cookies", async (mode) => {
  const origins = ["https://spa.test"]
  const site = siteOf({ mode, origins })
  const code = await codeFor(await signIn(site))
  const allowed = async (origin: string, method: string) => {
    const init = { method, headers: { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" } }
    const { headers } = await site.send("bearer/token", init)
    expect(headers.get("access-control-allow-credentials")).toBeNull()
    return headers.get("access-control-allow-origin")
  }
  for (const method of ["POST", "OPTIONS"]) {
    expect(await allowed("https://spa.test", method)).toBe("https://spa.test")
    for (const origin of ["https://evil.test", "null", "https://spa.test.evil.test", "http://spa.test"])
      expect(await allowed(origin, method)).toBeNull()
  }
  const fields = {
    grant_type: "authorization_code",
    client_id: app.id,
    code,
    code_verifier: verifierText,
    redirect_uri: redirectUri,
  }
  const answer = await post(site, "bearer/token", fields, { origin: "https://spa.test" })
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "https://spa.test"])
  expect(
    (await site.send("bearer/mint", { method: "OPTIONS", headers: { origin: "https://spa.test" } })).headers.get(
      "access-control-allow-origin",
    ),
  ).toBeNull()
})

attack("BEAR-16", "input of any type and size is refused without an error of the server", async (mode) => {
  const site = siteOf({ mode, introspection: [{ id: "api", secret: "x".repeat(40) }] })
  const browser = await signIn(site)
  const long = "x".repeat(5000)
  for (const path of ["bearer/token", "bearer/revoke", "bearer/introspect", "bearer/mint", "bearer/authorize"]) {
    const bodies = [
      "",
      "{}",
      "[]",
      "null",
      `{"client_id":{"toString":1},"grant_type":["refresh_token"],"refresh_token":{},"token":[],"request":{}}`,
      JSON.stringify({ client_id: app.id, grant_type: "refresh_token", refresh_token: long, token: long }),
      JSON.stringify({ client_id: app.id, grant_type: "authorization_code", code: long, code_verifier: long }),
      JSON.stringify({ client_id: "__proto__", grant_type: "constructor" }),
    ]
    for (const body of bodies) {
      const headers = { "content-type": "application/json" }
      const { status } = await site.send(path, { method: "POST", body, headers })
      expect([path, body.slice(0, 40), status < 500]).toEqual([path, body.slice(0, 40), true])
    }
    for (const authorization of ["Basic", "Basic %", "Basic Og==", "Basic JTpA", `Basic ${long}`]) {
      const { status } = await site.send(path, {
        method: "POST",
        body: new URLSearchParams({ token: "x" }),
        headers: { authorization },
      })
      expect([path, authorization.slice(0, 12), status < 500]).toEqual([path, authorization.slice(0, 12), true])
    }
  }
  for (const change of [
    { state: long },
    { scope: long },
    { resource: long },
    { client_id: "constructor" },
    { redirect_uri: "%00" },
  ])
    expect((await browser.get(await authorizeUrl(change))).status).toBeLessThan(500)
})

attack("BEAR-17", "no secret is in the log, in an event or readable in the database", async (mode) => {
  const site = siteOf({ mode, config: { debug: true } })
  const browser = await signIn(site)
  const code = await codeFor(browser)
  const stored = JSON.stringify(site.store.rows())
  const tokens = await read<Tokens>(await redeem(site, code))
  const next = await read<Tokens>(await refresh(site, tokens.refresh_token))
  const web = await minted(browser)
  await site.send("session", { headers: { authorization: `Bearer ${web}` } })
  await redeem(site, code)
  await refresh(site, `${next.refresh_token}x`)
  const seen = [site.logs(), JSON.stringify(site.events), stored, JSON.stringify(site.store.rows())].join("\n")
  for (const text of [
    code,
    tokens.access_token,
    tokens.refresh_token,
    next.access_token,
    next.refresh_token,
    web,
    verifierText,
  ])
    expect(seen).not.toContain(text)
})

test("a sign-in that is revoked while its code is redeemed gives no tokens", async () => {
  let revokes = async () => {}
  const site = siteOf({
    async claims() {
      await revokes()
      return {}
    },
  })
  const code = await codeFor(await signIn(site))
  revokes = async () => site.server.revoke(site.idOf("ada"))
  const response = await redeem(site, code)
  expect([response.status, await read(response)]).toEqual([400, expect.objectContaining({ error: "invalid_grant" })])
  expect(await site.bearer.apps(site.idOf("ada"))).toEqual([])
})

test.each(modes)("with security: %s, records that have expired hide no sign-in and no signing key", async (mode) => {
  const site = siteOf({ mode })
  const browser = await signIn(site)
  const { keys } = await read<{ readonly keys: object }>(await site.send("bearer/jwks"))
  const rest = { owner: site.idOf("ada"), index1: null, index2: null, data: "{}", expiresAt: new Date(1) }
  for (let each = 0; each < 150; each++)
    for (const kind of ["bearer.family", "bearer.key"])
      await site.store.records.insert({ kind, key: `!${String(each).padStart(4, "0")}`, ...rest }, new Date(0))
  const { refresh_token } = await tokensOf(site, browser)
  expect(await site.bearer.apps(site.idOf("ada"))).toHaveLength(1)
  site.clock.advance({ days: 1 })
  expect(await read(await site.send("bearer/jwks"))).toEqual({ keys })
  await site.server.revoke(site.idOf("ada"))
  expect((await refresh(site, refresh_token)).status).toBe(400)
  expect(site.store.rows().records.filter(({ kind, key }) => kind === "bearer.family" && !key.startsWith("!"))).toEqual(
    [],
  )
})

describe("options", () => {
  test.each<readonly [string, SiteOptions]>([
    ["no audience", { audiences: [] }],
    ["an issuer with a query", { issuer: "https://app.test/?a" }],
    ["an issuer over http", { issuer: "http://app.test" }],
    ["tokens that live too long", { maxAge: 3601 }],
    ["a public key", { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] }],
    ["two clients with one id", { clients: [app, app] }],
    ["the id of the site", { clients: [{ ...app, id: "web" }] }],
    ["no redirect URI", { clients: [{ ...app, redirectUris: [] }] }],
    ["a short secret", { introspection: [{ id: "api", secret: "short" }] }],
    ["a path as origin", { origins: ["https://spa.test/"] }],
    ...[
      "app:/cb",
      "javascript:alert(1)",
      "http://app.test/cb",
      "http://localhost/cb",
      "https://a@b.test/",
      "https://b.test/#a",
      "https://*.b.test/",
    ].map((uri): readonly [string, SiteOptions] => [
      `the redirect URI ${uri}`,
      { clients: [{ ...app, redirectUris: [uri] }] },
    ]),
  ])("with %s are an error", async (_, options) => {
    const site = siteOf(options)
    expect(await site.send("bearer/jwks").then(({ status }) => status)).not.toBe(200)
    expect(site.logs()).toContain("modules: bearer:")
  })
})
