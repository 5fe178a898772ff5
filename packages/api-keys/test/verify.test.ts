import { describe, expect, test } from "vitest"
import { bearing, check, day, named, newKey, reasonOf, siteOf, stores } from "./site.js"

describe.each(stores)("3. Rights are the key's scopes and the owner's rights now, on $name", ({ open }) => {
  test("a key says who owns it, and what it may do", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site, { scopes: ["read"] })
    const userId = await site.idOf("ada")
    const user = { id: userId, email: "ada@users.test" }
    expect(await site.keys.verify(bearing(key))).toMatchObject({ ok: true, keyId, userId, user, scopes: ["read"] })
    expect(await check(site, key, "read")).toBe("valid")
    expect(await check(site, key, "write")).toBe("scope")
  })

  test("it loses what the owner may not do anymore, at once", async () => {
    const rights = new Set(["read", "write", "other"])
    const site = await siteOf({ adapter: await open(), rights: () => [...rights] })
    const { key } = await newKey(site)
    expect(await check(site, key, "write")).toBe("valid")
    rights.delete("write")
    expect(await check(site, key, "write")).toBe("scope")
    expect(await site.keys.verify(bearing(key))).toMatchObject({ scopes: ["read"] })
  })

  test("of a disabled owner it's refused with 401, and works again afterwards", async () => {
    let isDisabled = false
    const site = await siteOf({ adapter: await open(), rights: () => (isDisabled ? null : ["read", "write"]) })
    const { key } = await newKey(site)
    isDisabled = true
    expect(await site.keys.verify(bearing(key))).toMatchObject({ ok: false, status: 401, reason: "owner" })
    isDisabled = false
    expect(await check(site, key)).toBe("valid")
  })

  test("of a deleted owner it's refused with 401, and nothing is left", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    await site.adapter.deleteUser?.(await site.idOf("ada"))
    expect(await site.keys.verify(bearing(key))).toMatchObject({ ok: false, status: 401 })
    expect(await site.adapter.records?.get("api-keys.key", keyId)).toBeNull()
  })

  test("`revoke` of the user ends all keys of that user, in every process", async () => {
    const site = await siteOf({ adapter: await open() })
    const keys = [await newKey(site), await newKey(site)]
    const graces = await newKey(site, { userId: await site.idOf("grace") })
    const other = { keys: site.another() }
    expect(await check(other, keys[0]?.key ?? "")).toBe("valid")
    await site.server.revoke(await site.idOf("ada"))
    for (const { key } of keys) expect(await check(other, key)).toBe("invalid")
    expect(await check(other, graces.key)).toBe("valid")
  })

  test("`disable` ends all keys of a user, and none can be made until `enable`", async () => {
    const site = await siteOf({ adapter: await open() })
    const userId = await site.idOf("ada")
    const [{ key }, graces] = [await newKey(site), await newKey(site, { userId: await site.idOf("grace") })]
    await site.server.disable(userId)
    expect(await check(site, key)).toBe("invalid")
    expect(await site.keys.create({ userId, name: "CI", scopes: ["read"] })).toEqual({ ok: false, problem: "owner" })
    expect(await check(site, graces.key)).toBe("valid")
    await site.server.enable(userId)
    expect(await check(site, key)).toBe("invalid")
    site.clock.advance({ seconds: 1 })
    expect(await check(site, (await newKey(site)).key)).toBe("valid")
  })

  test.each([
    ["true", true, ["valid", "valid"]],
    ["a function of the reason", (reason: string | undefined) => reason === "password-changed", ["valid", "invalid"]],
    ["false", false, ["invalid", "invalid"]],
  ] as const)(
    "with `keepOnRevoke` as %s, `revoke` keeps keys or not, and they never work while the owner is disabled",
    async (_, keepOnRevoke, expected) => {
      const site = await siteOf({ adapter: await open(), keepOnRevoke })
      const userId = await site.idOf("ada")
      const { key } = await newKey(site)
      await site.server.revoke(userId, "password-changed")
      const first = await check(site, key)
      await site.server.revoke(userId, "stolen laptop")
      expect([first, await check(site, key)]).toEqual(expected)
      site.clock.advance({ seconds: 1 })
      const another = (await newKey(site)).key
      await site.server.disable(userId, "password-changed")
      expect(["owner", "invalid"]).toContain(await check(site, another))
      await site.server.enable(userId)
      expect(await check(site, another)).toBe(expected[0])
    },
  )

  test("a revoked key is refused in another process with the next request: nothing is cached", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    const other = { keys: site.another() }
    expect(await check(other, key)).toBe("valid")
    expect(await site.keys.revoke(keyId)).toBe(true)
    expect(await check(other, key)).toBe("invalid")
    expect(await site.keys.revoke(keyId)).toBe(false)
  })
})

describe("what a program sees", () => {
  test.each([
    ["missing", undefined, 'Bearer realm="acme"'],
    [
      "malformed",
      "Bearer acme_x",
      'Bearer realm="acme", error="invalid_token", error_description="The API key is invalid"',
    ],
  ])("a %s key is 401 with `WWW-Authenticate`", async (reason, authorization, header) => {
    const { keys } = await siteOf()
    const verdict = await keys.verify({ headers: { authorization } })
    expect(verdict).toMatchObject({ ok: false, reason, status: 401 })
    const response = verdict.ok ? undefined : verdict.toResponse()
    expect(response?.status).toBe(401)
    expect(response?.headers.get("www-authenticate")).toBe(header)
    expect(response?.headers.get("cache-control")).toBe("no-store")
  })

  test("a scope that is missing is 403 and named", async () => {
    const site = await siteOf()
    const { key } = await newKey(site, { scopes: ["read"] })
    const verdict = await site.keys.verify(bearing(key), { scope: ["read", "write"] })
    expect(verdict).toMatchObject({ status: 403, reason: "scope" })
    if (!verdict.ok)
      expect(verdict.headers["www-authenticate"]).toMatch(/error="insufficient_scope".*scope="read write"/)
  })

  test("asking for a scope that isn't configured is an error of the application", async () => {
    const site = await siteOf()
    const { key } = await newKey(site)
    await expect(site.keys.verify(bearing(key), { scope: "raed" })).rejects.toThrow(TypeError)
  })

  test("without scopes in the configuration, a key stands for its owner", async () => {
    const site = await siteOf({ scopes: [] })
    const { key } = await newKey(site, { scopes: [] })
    expect(await site.keys.verify(bearing(key))).toMatchObject({ ok: true, scopes: [] })
  })

  test("refusals and uses are security events, at most one use in an hour", async () => {
    const site = await siteOf()
    const { key, keyId } = await newKey(site, { scopes: ["read"] })
    await check(site, key)
    await check(site, key)
    await check(site, key, "write")
    site.clock.advance({ hours: 1 })
    await check(site, key)
    expect(named(site, "used")).toHaveLength(2)
    const subject = { kind: "user", id: await site.idOf("ada") }
    expect(named(site, "refused")).toMatchObject([{ outcome: "failure", reason: "scope", subject, data: { keyId } }])
    expect(named(site, "created")).toMatchObject([{ outcome: "success", actor: { kind: "application" }, subject }])
  })
})

describe.each(stores)("5. Expiry by default, with an email before, on $name", ({ open }) => {
  test("a key expires after 90 days, and says so", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key } = await newKey(site)
    site.clock.advance({ days: 90, milliseconds: -1 })
    expect(await check(site, key)).toBe("valid")
    site.clock.advance(1)
    expect(await site.keys.verify(bearing(key))).toMatchObject({ status: 401, reason: "expired" })
    expect(await site.keys.list(await site.idOf("ada"))).toHaveLength(1)
    site.clock.advance({ days: 30 })
    expect(await check(site, key)).toBe("invalid")
    expect(await site.keys.list(await site.idOf("ada"))).toEqual([])
  })

  test("no key lives longer than the configuration says, and none forever unless it says so", async () => {
    const site = await siteOf({ adapter: await open() })
    const userId = await site.idOf("ada")
    const wanted = { userId, name: "CI", scopes: ["read"] }
    for (const expiresIn of [null, 90 * day + 1, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(await site.keys.create({ ...wanted, expiresIn })).toMatchObject({ ok: false, problem: "lifetime" })
    const lasting = site.another({ maxAge: null })
    const created = await lasting.create({ ...wanted, expiresIn: null })
    site.clock.advance({ days: 4000 })
    expect(await check(site, created.ok ? created.key : "")).toBe("valid")
  })

  test("a use in the last 14 days sends one email, also of 20 at once", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key } = await newKey(site)
    site.clock.advance({ days: 76, milliseconds: -1 })
    await check(site, key)
    expect(site.sent).toEqual([])
    site.clock.advance(1)
    const processes = Array.from({ length: 4 }, () => ({ keys: site.another() }))
    const verdicts = await Promise.all(
      [...processes, ...processes, ...processes, ...processes, ...processes].map(async (each) => check(each, key)),
    )
    expect(new Set(verdicts)).toEqual(new Set(["valid"]))
    expect(site.sent.map(({ identifier, letter }) => [identifier, letter?.text.includes("CI (acme_")])).toEqual([
      ["ada@users.test", true],
    ])
    site.clock.advance({ days: 1 })
    await check(site, key)
    expect(site.sent).toHaveLength(1)
  })

  test("`remind` sends the emails about keys that aren't used, once", async () => {
    const site = await siteOf({ adapter: await open() })
    await newKey(site)
    await newKey(site, { expiresIn: 14 * day })
    site.clock.advance({ days: 80 })
    const sent = await Promise.all([site.keys.remind(), site.another().remind()])
    expect(sent.map((each) => each.sent)).toEqual(expect.arrayContaining([0, 1]))
    expect(site.sent).toHaveLength(1)
    expect(await site.keys.remind()).toEqual({ sent: 0 })
  })

  test("an email that can't be sent refuses no request, and is tried again a day later", async () => {
    const site = await siteOf({ adapter: await open(), mails: "broken" })
    const { key } = await newKey(site)
    site.clock.advance({ days: 80 })
    expect(await check(site, key)).toBe("valid")
    expect(await check(site, key)).toBe("valid")
    expect(named(site, "notice-failed")).toHaveLength(1)
    site.clock.advance({ days: 1 })
    await check(site, key)
    expect(named(site, "notice-failed")).toHaveLength(2)
  })

  test("the link of the email is that of the configuration, whatever the request says", async () => {
    const site = await siteOf({ adapter: await open(), config: { trustHost: true } })
    const { key } = await newKey(site)
    site.clock.advance({ days: 80 })
    await site.keys.verify(bearing(key, { host: "evil.test", "x-forwarded-host": "evil.test" }))
    expect(site.sent[0]?.letter?.link?.url).toBe("https://app.test/auth/account")
  })

  test("the last use is written at most hourly, also by 20 uses at once", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    const version = async () => (await site.adapter.records?.get("api-keys.key", keyId))?.version
    const lastUse = async () => (await site.keys.list(await site.idOf("ada")))[0]?.lastUsedAt?.getTime()
    expect(await lastUse()).toBeUndefined()
    const uses = async () => Promise.all(Array.from({ length: 20 }, async () => check(site, key)))
    await uses()
    expect([await version(), await lastUse()]).toEqual([2, site.clock.now()])
    site.clock.advance({ hours: 1, milliseconds: -1 })
    await uses()
    expect(await version()).toBe(2)
    site.clock.advance(1)
    await uses()
    expect([await version(), await lastUse()]).toEqual([3, site.clock.now()])
  })
})

test("a key without a user who can be found isn't created", async () => {
  const site = await siteOf()
  expect(await site.keys.create({ userId: "no-one", name: "CI", scopes: ["read"] })).toEqual({
    ok: false,
    problem: "owner",
  })
  expect(reasonOf(await site.keys.verify({ headers: {} }))).toBe("missing")
})
