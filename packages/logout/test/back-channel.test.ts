import { describe, expect, test } from "vitest"
import { isSignedIn, signIn, siteOf, strategies } from "./site.js"

describe.each(Object.entries(strategies))("sessions %s", (_, session) => {
  test("(iss, sid) ends that session, and no other one of the user", async () => {
    const site = siteOf({ session })
    const [first, second] = [await signIn(site), await signIn(site)]
    const response = await site.tell(await site.op.logoutToken({ as: "ada", sid: first.sid }))
    expect([response.status, response.headers.get("cache-control"), await response.text()]).toEqual([
      200,
      expect.stringContaining("no-store"),
      "",
    ])
    expect([await isSignedIn(first.browser), await isSignedIn(second.browser)]).toEqual([false, true])
    expect(site.reasons).toEqual(["backchannel-logout"])
    expect(site.events).toContainEqual(expect.objectContaining({ name: "sign-out", reason: "backchannel-logout" }))
    expect(site.events).toContainEqual(
      expect.objectContaining({ name: "logout.ended", data: { provider: "op", count: 1 } }),
    )
  })

  test("(iss, sub) ends all sessions of the user from that provider", async () => {
    const site = siteOf({ session })
    const [ada, phone] = [await signIn(site), await signIn(site)]
    const [grace, elsewhere] = [await signIn(site, "grace"), await signIn(site, "linus", undefined, site.other)]
    expect((await site.tell(await site.op.logoutToken({ as: "ada" }))).status).toBe(200)
    const left = [ada, phone, grace, elsewhere].map(async ({ browser }) => isSignedIn(browser))
    expect(await Promise.all(left)).toEqual([false, false, true, true])
  })

  test("a session to which another provider was added ends with either of them", async () => {
    const security = { mode: "compatible", linking: "same-session", revocableSessions: true } as const
    for (const which of ["op", "other"] as const) {
      const site = siteOf({ session, config: { security } })
      const { browser, sid } = await signIn(site)
      const linked = await signIn(site, "linus", browser, site.other)
      const [op, name] = which === "op" ? [site.op, sid] : [site.other, linked.sid]
      await site.tell(await op.logoutToken({ sid: name }), which)
      expect([which, await isSignedIn(browser)]).toEqual([which, false])
    }
  })

  test("a second account at the same provider doesn't keep the session from ending", async () => {
    const security = { mode: "compatible", linking: "same-session", revocableSessions: true } as const
    for (const name of ["sid", "sub"] as const) {
      const site = siteOf({ session, config: { security } })
      const { browser, sid } = await signIn(site)
      await signIn(site, "grace", browser)
      await site.tell(await site.op.logoutToken(name === "sid" ? { sid } : { as: "ada" }))
      expect([name, await isSignedIn(browser)]).toEqual([name, false])
    }
  })

  test("a session that is replaced while the provider ends it has ended, too", async () => {
    const security = { mode: "compatible", linking: "same-session", revocableSessions: true } as const
    let meanwhile = async () => {}
    const site = siteOf({ session, config: { security, events: { signIn: async () => meanwhile() } } })
    const { browser, sid } = await signIn(site)
    meanwhile = async () => void (await site.tell(await site.op.logoutToken({ sid })))
    await browser.signInWith(site.other, { as: "linus" })
    expect(await isSignedIn(browser)).toBe(false)
  })

  test("a sign-in whose ID token named no session ends by the user", async () => {
    const site = siteOf({ session })
    site.op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, sid: undefined } }) })
    const browser = await site.open()
    await browser.signInWith(site.op, { as: "ada" })
    expect(await isSignedIn(browser)).toBe(true)
    await site.tell(await site.op.logoutToken({ as: "ada", sid: "another" }))
    expect(await isSignedIn(browser)).toBe(false)
  })

  test("the same token twice is 200, and nothing is left", async () => {
    const site = siteOf({ session })
    const { sid } = await signIn(site)
    const token = await site.op.logoutToken({ sid })
    expect([(await site.tell(token)).status, (await site.tell(token)).status]).toEqual([200, 200])
    expect((await site.store.records.list("logout.sign-in", { limit: 9 })).records).toEqual([])
  })

  test("a user who is signed out already is no error", async () => {
    const site = siteOf({ session })
    const { browser, sid } = await signIn(site)
    await browser.signOut()
    expect((await site.tell(await site.op.logoutToken({ sid }))).status).toBe(200)
    expect((await site.tell(await site.op.logoutToken({ as: "grace" }))).status).toBe(200)
  })
})

test.each([
  ["openid", 1],
  ["openid offline_access", 0],
])("tokens of the provider with the scopes %s go with the last session", async (scope, revoked) => {
  const asked: string[] = []
  const site = siteOf({ provider: { tokens: { revocation: "https://op.test/revoke" } } })
  site.op.inject({
    token: (answer) => ({ ...answer, body: { ...Object(answer.body), scope } }),
    answer: ({ url }) => {
      if (url.pathname !== "/revoke") return undefined
      asked.push(url.href)
      return new Response(null, { status: 200 })
    },
  })
  const [one, two] = [await signIn(site), await signIn(site)]
  await site.tell(await site.op.logoutToken({ sid: one.sid }))
  expect(asked).toHaveLength(0)
  await site.tell(await site.op.logoutToken({ sid: two.sid }))
  expect(asked).toHaveLength(revoked)
})

test("if the database is down, the provider hears of it and can try again", async () => {
  const site = siteOf()
  const { browser, sid } = await signIn(site)
  const { deleteSession } = site.store
  let isDown = true
  const adapter = {
    ...site.config.adapter,
    deleteSession: async (token: string) => {
      if (isDown) throw new Error("The database is down")
      await deleteSession(token)
    },
  }
  const down = siteOf({ config: { ...site.config, adapter } })
  const token = await site.op.logoutToken({ sid })
  const refused = await down.tell(token)
  expect([refused.status, await refused.json()]).toEqual([400, { error: "temporarily_unavailable" }])
  expect(await isSignedIn(browser)).toBe(true)
  isDown = false
  expect((await down.tell(token)).status).toBe(200)
  expect(await isSignedIn(browser)).toBe(false)
})

test("what is kept about sign-ins has no name of a session and no token in plain text, and can be exported", async () => {
  const site = siteOf()
  const { browser } = await signIn(site)
  const { records } = await site.store.records.list("logout.sign-in", { limit: 9 })
  const kept = JSON.stringify(records)
  expect(records).toHaveLength(1)
  for (const { sessionToken } of site.store.rows().sessions) expect(kept).not.toContain(sessionToken)
  expect(kept).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\./)
  await browser.signOut()
  expect((await site.store.records.list("logout.sign-in", { limit: 9 })).records).toEqual([])
})
