import { createHmac } from "node:crypto"
import type { UnsignedToken } from "@latchkey/testing"
import { expect, test } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { isSignedIn, signIn, siteOf, type Site, strategies } from "../site.js"

// Logout tokens that an attacker writes, changes or keeps.

const event = "http://schemas.openid.net/event/backchannel-logout"
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const withClaims = (claims: object) => (token: UnsignedToken) => ({ ...token, claims: { ...token.claims, ...claims } })
const withHeader = (header: object) => (token: UnsignedToken) => ({ ...token, header: { ...token.header, ...header } })

async function refused(site: Site, token: string, provider = "op"): Promise<void> {
  const response = await site.tell(token, provider)
  expect([response.status, await response.json()]).toEqual([400, { error: "invalid_request" }])
  expect(response.headers.get("cache-control")).toContain("no-store")
}

/** Ada is signed in, and no logout token with one of these changes ends the session. */
async function holds(
  site: Site,
  changes: readonly ((token: UnsignedToken) => UnsignedToken | string)[],
): Promise<void> {
  const { browser, sid } = await signIn(site)
  for (const change of changes) await refused(site, await site.op.logoutToken({ as: "ada", sid }, change))
  expect(await isSignedIn(browser)).toBe(true)
}

attack(
  "OIDC-36",
  "a logout token works without cookies and a CSRF token, once, and ends sessions in cookies too",
  async (mode) => {
    for (const session of Object.values(strategies)) {
      const site = siteOf({ mode, session })
      const { browser, sid } = await signIn(site)
      const token = await site.op.logoutToken({ as: "ada", sid })
      expect((await site.tell(token)).status).toBe(200)
      expect(await isSignedIn(browser)).toBe(false)
      const again = await signIn(site)
      expect((await site.tell(token)).status).toBe(200)
      expect(await isSignedIn(again.browser)).toBe(true)
    }
  },
)

attack("OIDC-38", "a token without the event is refused", async (mode) => {
  await holds(
    siteOf({ mode }),
    [undefined, {}, null, [], event, { [event]: "yes" }, { [event]: null }, { other: {} }].map((events) =>
      withClaims({ events }),
    ),
  )
})

attack("OIDC-39", "a token with a nonce is refused", async (mode) => {
  await holds(
    siteOf({ mode }),
    ["n", "", null, 0].map((nonce) => withClaims({ nonce })),
  )
})

attack("OIDC-40", "a token with another algorithm, without a signature, or with an HMAC is refused", async (mode) => {
  const site = siteOf({ mode })
  const keys = await (await site.op.fetch(`${site.op.issuer}/jwks`)).text().catch(() => "")
  const mac = (key: string) => (token: UnsignedToken) => {
    const text = `${encode({ ...token.header, alg: "HS256" })}.${encode(token.claims)}`
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`
  }
  await holds(site, [
    ...["none", "None", ""].map(
      (alg) => (token: UnsignedToken) => `${encode({ ...token.header, alg })}.${encode(token.claims)}.`,
    ),
    ...[site.op.clientSecret, keys, ""].map((key) => mac(key)),
    ...["ES256", "EdDSA", "RS512", "toString"].map(
      (alg) => (token: UnsignedToken) => `${encode({ ...token.header, alg })}.${encode(token.claims)}.AAAA`,
    ),
  ])
  const configured = siteOf({
    mode,
    op: { algorithm: "ES256" },
    provider: { client: { id_token_signed_response_alg: "ES256" } },
  })
  const { browser, sid } = await signIn(configured)
  const other = siteOf({ mode })
  await refused(configured, await other.op.logoutToken({ as: "ada", sid }))
  expect(await isSignedIn(browser)).toBe(true)
  expect((await configured.tell(await configured.op.logoutToken({ sid }))).status).toBe(200)
})

attack("OIDC-41", "a token for another client is refused", async (mode) => {
  await holds(
    siteOf({ mode }),
    ["another", "", undefined, null, [], ["another"], { 0: "latchkey" }].map((aud) => withClaims({ aud })),
  )
})

attack(
  "OIDC-43",
  "a token of another issuer is refused, and a provider can't end sessions of another one",
  async (mode) => {
    const site = siteOf({ mode })
    await holds(
      site,
      ["https://evil.test", `${site.op.issuer}/`, "", undefined, null, [site.op.issuer]].map((iss) =>
        withClaims({ iss }),
      ),
    )
    const { browser, sid } = await signIn(site)
    const other = await signIn(site, "linus", undefined, site.other)
    // Each provider signs with its own keys what it likes, and is asked for its own route.
    await refused(site, await site.other.logoutToken({ as: "ada", sid }))
    await refused(site, await site.op.logoutToken({ as: "ada", sid }), "other")
    await refused(site, await site.other.logoutToken({ as: "ada", sid }, withClaims({ iss: site.op.issuer })), "other")
    expect((await site.tell(await site.other.logoutToken({ as: "grace", sid }), "other")).status).toBe(200)
    expect((await site.tell(await site.other.logoutToken({ sid }), "other")).status).toBe(200)
    expect(await isSignedIn(browser)).toBe(true)
    expect((await site.tell(await site.other.logoutToken({ as: "linus" }), "other")).status).toBe(200)
    expect([await isSignedIn(browser), await isSignedIn(other.browser)]).toEqual([true, false])
  },
)

attack("LOGOUT-01", "an old or future token, or one without times or an id, is refused", async (mode) => {
  const site = siteOf({ mode })
  const now = Math.floor(site.clock.now() / 1000)
  await holds(site, [
    ...[now - 601, now + 61, 0, undefined, null, String(now), Number.NaN].map((iat) => withClaims({ iat })),
    ...[now - 31, 0, undefined, null, String(now + 60)].map((exp) => withClaims({ exp })),
    ...[undefined, "", null, 1, {}, "j".repeat(2000)].map((jti) => withClaims({ jti })),
    withClaims({ nbf: now + 600 }),
  ])
})

attack("LOGOUT-02", "a token that names no one, or someone in another type, is refused", async (mode) => {
  const site = siteOf({ mode })
  await holds(site, [
    withClaims({ sub: undefined, sid: undefined }),
    ...[null, 1, {}, ["ada"], ""].flatMap((value) => [withClaims({ sub: value }), withClaims({ sid: value })]),
  ])
  const { browser, sid } = await signIn(site)
  // The session of one user with the name of another.
  expect((await site.tell(await site.op.logoutToken({ as: "grace", sid }))).status).toBe(200)
  expect(await isSignedIn(browser)).toBe(true)
})

attack("LOGOUT-03", "an ID token isn't a logout token, and a logout token isn't an ID token", async (mode) => {
  const site = siteOf({ mode })
  await holds(site, [
    ...["JWT", "id+jwt", "at+jwt", "", undefined, null, ["logout+jwt"], { logout: 1 }].map((typ) =>
      withHeader({ typ }),
    ),
    (token) => ({
      header: { ...token.header, typ: "JWT" },
      claims: { ...token.claims, nonce: "n", events: undefined },
    }),
  ])
  let idToken = ""
  const stop = site.op.inject({
    token: (answer) => {
      idToken = String(Object(answer.body).id_token)
      return answer
    },
  })
  const { browser } = await signIn(site)
  stop()
  await refused(site, idToken)
  expect(await isSignedIn(browser)).toBe(true)
  site.op.inject({
    idToken: (token) => ({
      header: { ...token.header, typ: "logout+jwt" },
      claims: { ...token.claims, events: { [event]: {} } },
    }),
  })
  const thief = await site.open()
  await thief.signInWith(site.op, { as: "ada" })
  expect(await isSignedIn(thief)).toBe(false)
})

attack(
  "LOGOUT-04",
  "an unknown key makes no request for each call, and keys in the token are never used",
  async (mode) => {
    const site = siteOf({ mode })
    const { browser, sid } = await signIn(site)
    const evil = siteOf({ mode }).op
    evil.rotateKeys()
    const before = site.op.requests.length
    for (let count = 0; count < 40; count++) {
      const header = { kid: `k${count}`, jku: "https://evil.test/keys", x5u: "https://evil.test/cert" }
      await refused(site, await evil.logoutToken({ as: "ada", sid }, withHeader(header)))
    }
    expect(site.op.requests.length - before).toBeLessThanOrEqual(1)
    expect(await isSignedIn(browser)).toBe(true)
    await refused(site, await site.op.logoutToken({ sid }, withHeader({ crit: ["x"], x: 1 })))
    // A key that is new since is found.
    site.clock.advance({ seconds: 31 })
    site.op.rotateKeys()
    expect((await site.tell(await site.op.logoutToken({ sid }))).status).toBe(200)
    expect(await isSignedIn(browser)).toBe(false)
  },
)

attack(
  "LOGOUT-05",
  "text that is no token, another method and an unknown provider are refused, and never 500",
  async (mode) => {
    const site = siteOf({ mode })
    for (const text of ["", "a", "a.b.c", "..", "{}", "\u0000", "e30.e30.", "x".repeat(100_000)]) {
      const { status } = await site.tell(text)
      expect([400, 413]).toContain(status)
    }
    for (const to of ["none", "__proto__", "op/x", "%2e%2e", "%ff"])
      expect([400, 404]).toContain((await site.tell(await site.op.logoutToken({ as: "ada" }), to)).status)
    const path = "backchannel-logout/op"
    for (const [init, expected] of [
      [{ method: "GET" }, 405],
      [{ method: "POST", body: "[]", headers: { "content-type": "application/json" } }, 400],
      [{ method: "POST", body: '{"logout_token":["a"]}', headers: { "content-type": "application/json" } }, 400],
      [{ method: "POST", body: "x", headers: { "content-type": "text/plain" } }, 415],
    ] as const)
      expect((await site.send(path, init)).status).toBe(expected)
  },
)

attack("LOGOUT-06", "a sign-in that finishes while its session ends at the provider gets no session", async (mode) => {
  for (const session of Object.values(strategies)) {
    for (const by of ["sid", "sub"] as const) {
      const site = siteOf({ mode, session })
      const browser = await site.open()
      let told = 0
      // The logout arrives after the provider has made the ID token, and before the session here has started.
      const stop = site.op.inject({
        idToken: async (token) => {
          const named = by === "sid" ? { sid: String(token.claims["sid"]) } : { as: "ada" }
          told = (await site.tell(await site.op.logoutToken(named))).status
          return token
        },
      })
      await browser.signInWith(site.op, { as: "ada" })
      stop()
      expect([session.strategy, by, told, await isSignedIn(browser)]).toEqual([session.strategy, by, 200, false])
      site.clock.advance({ seconds: 1 })
      expect(await isSignedIn((await signIn(site)).browser)).toBe(true)
    }
  }
})

test("parallel copies of a token end the session once", async () => {
  const site = siteOf()
  const { sid } = await signIn(site)
  const token = await site.op.logoutToken({ sid })
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await site.tell(token)).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(site.reasons).toEqual(["backchannel-logout"])
})
