import { visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { bearing, check, createOn, modes, named, newKey, reasonOf, signedIn, siteOf } from "../site.js"

describe.each(modes)("with security: %s", (security) => {
  const site = async (options: Parameters<typeof siteOf>[0] = {}) => siteOf({ ...options, config: { security } })

  test("3. a key that is created while everything is revoked isn't there afterwards", async () => {
    let release = () => {}
    const waiting = new Promise<void>((resolve) => (release = resolve))
    let isAsked = false
    const its = await site({ rights: async () => ((isAsked = true), await waiting, ["read", "write"]) })
    const userId = await its.idOf("ada")
    const pending = its.keys.create({ userId, name: "CI", scopes: ["read"] })
    await expect.poll(() => isAsked).toBe(true)
    await its.server.revoke(userId)
    release()
    expect(await pending).toMatchObject({ ok: false, problem: "owner" })
    expect(await its.keys.list(userId)).toEqual([])
    its.clock.advance({ seconds: 1 })
    expect(await its.keys.create({ userId, name: "CI", scopes: ["read"] })).toMatchObject({ ok: true })
  })

  test("6. a former secret that has ended doesn't use up what the current one may do", async () => {
    const its = await site({ rateLimit: { points: 5, seconds: 60 } })
    const { key, keyId } = await newKey(its)
    const rotated = await its.keys.rotate(keyId)
    its.clock.advance({ days: 2 })
    for (let use = 0; use < 10; use++) expect(await check(its, key)).not.toBe("valid")
    expect(await check(its, rotated.ok ? rotated.key : "")).toBe("valid")
  })

  test("4. a key makes no session, and reaches neither account nor module routes", async () => {
    const its = await site()
    const { key, keyId } = await newKey(its)
    const program = await visit(its.config, { clock: its.clock, headers: { authorization: `Bearer ${key}` } })
    expect(await program.session()).toBeNull()
    const account = await program.fetch("/auth/account", { headers: { accept: "application/json" } })
    expect(account.status).toBe(401)
    const csrfToken = (await program.csrf()) ?? ""
    const post = async (path: string, fields: Readonly<Record<string, string>>) =>
      program.fetch(path, { method: "POST", body: new URLSearchParams({ csrfToken, ...fields }) })
    for (const [path, fields] of [
      ["/auth/api-keys/create", { keyName: "x", days: "1", "scope:read": "yes" }],
      ["/auth/api-keys/rotate", { id: keyId, generation: "0" }],
      ["/auth/api-keys/revoke", { id: keyId }],
      ["/auth/account", { action: "revoke-sessions" }],
      ["/auth/session", { data: "{}" }],
    ] as const)
      await post(path, fields)
    expect(program.cookies.some(({ name }) => name.includes("session-token"))).toBe(false)
    const { session } = its.server
    const headers = new Headers({ authorization: `Bearer ${key}` })
    expect((await session({ headers, origin: "https://app.test" })).session).toBeNull()
    expect(await its.keys.list(await its.idOf("ada"))).toHaveLength(1)
    expect(await check(its, key)).toBe("valid")
  })

  test("keys that have expired hide no other, from `list` or from `revoke`", async () => {
    const its = await site()
    const { key } = await newKey(its)
    const userId = await its.idOf("ada")
    const rest = { kind: "api-keys.key", owner: userId, index1: null, index2: null, data: "{}", expiresAt: new Date(1) }
    for (let each = 0; each < 150; each++)
      await its.adapter.records?.insert({ key: `!${String(each).padStart(4, "0")}`, ...rest }, new Date(0))
    expect(await its.keys.list(userId)).toHaveLength(1)
    await its.server.revoke(userId)
    expect(await check(its, key)).toBe("invalid")
  })

  test("7. a field of the body never chooses the owner, its rights or the id of a key", async () => {
    const its = await site()
    const browser = await signedIn(its, "grace")
    const ada = await its.idOf("ada")
    const more = {
      userId: ada,
      user: ada,
      owner: ada,
      sub: ada,
      id: "chosen",
      keyId: "chosen",
      prefix: "evil",
      hash: "0",
    }
    const key = await createOn(browser, more)
    expect(await its.keys.verify(bearing(key))).toMatchObject({ userId: await its.idOf("grace") })
    expect(key).toMatch(/^acme_(?!chosen)/)
    expect(await its.keys.list(ada)).toEqual([])
    const csrfToken = (await browser.csrf()) ?? ""
    const json = { csrfToken, ...more, keyName: "JSON", days: "1", "scope:read": "yes" }
    await browser.fetch(`/auth/api-keys/create?userId=${ada}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(json),
    })
    expect(await its.keys.list(ada)).toEqual([])
    expect(await its.keys.list(await its.idOf("grace"))).toHaveLength(2)
  })

  test.each(["rotate", "revoke"])(
    "another user's key isn't reached by `%s`, and looks like one that doesn't exist",
    async (route) => {
      const its = await site()
      const { key, keyId } = await newKey(its)
      const browser = await signedIn(its, "grace")
      const csrfToken = (await browser.csrf()) ?? ""
      const answers: string[] = []
      for (const id of [keyId, "0".repeat(16), "", "__proto__", "x".repeat(10_000)]) {
        await browser.post(`/auth/api-keys/${route}`, { id, generation: "0", csrfToken })
        answers.push(`${browser.response.status} ${browser.location} ${browser.text.replaceAll(/nonce-?[^"' ]*/g, "")}`)
      }
      expect(new Set(answers.map((each) => each.slice(0, 200))).size).toBe(1)
      expect(await check(its, key)).toBe("valid")
      expect(named(its, route === "rotate" ? "rotated" : "revoked").every(({ outcome }) => outcome === "failure")).toBe(
        true,
      )
    },
  )

  test.each([
    ["create", { keyName: "x", days: "1", "scope:read": "yes" }],
    ["rotate", { generation: "0" }],
    ["revoke", {}],
  ])("`%s` without the CSRF token does nothing", async (route, fields) => {
    const its = await site()
    const { key, keyId } = await newKey(its)
    const browser = await signedIn(its)
    for (const csrfToken of [{}, { csrfToken: "0".repeat(64) }])
      await browser.post(`/auth/api-keys/${route}`, { id: keyId, ...fields, ...csrfToken })
    expect(await its.keys.list(await its.idOf("ada"))).toHaveLength(1)
    expect(await check(its, key)).toBe("valid")
    expect(named(its, "rotated")).toEqual([])
  })

  test("no scope is gained beyond the configuration and the owner's rights: on creation, rotation and later", async () => {
    let rights = ["read"]
    const its = await site({ scopes: ["read", "write", "admin"], rights: () => rights })
    const browser = await signedIn(its)
    for (const scope of ["admin", "write", "other", "__proto__"])
      expect(await createOn(browser, { [`scope:${scope}`]: "yes" })).toBe("")
    const key = await createOn(browser)
    await browser.get("/auth/account")
    await browser.submitForm("api-keys/rotate", { "scope:admin": "yes", scopes: "admin", "scope:write": "yes" })
    rights = ["read", "write", "admin"]
    expect(await its.keys.verify(bearing(key))).toMatchObject({ scopes: ["read"] })
    expect(named(its, "created").map(({ reason }) => reason)).toEqual([
      "scopes",
      "scopes",
      "scopes",
      "scopes",
      undefined,
    ])
  })

  test("nothing that is posted is an error", async () => {
    const its = await site()
    const browser = await signedIn(its)
    const csrfToken = (await browser.csrf()) ?? ""
    const values: readonly unknown[] = [
      null,
      7,
      true,
      [],
      {},
      ["a"],
      { toString: 1 },
      "\u0000",
      "x".repeat(5000),
      "-1",
      "1e9",
    ]
    for (const route of ["create", "rotate", "revoke"])
      for (const value of values) {
        const fields = { csrfToken, keyName: value, days: value, id: value, generation: value, "scope:read": value }
        const body = JSON.stringify(fields)
        const headers = { "content-type": "application/json" }
        const response = await browser.fetch(`/auth/api-keys/${route}`, { method: "POST", headers, body })
        expect(response.status).toBeLessThan(500)
      }
    expect(its.log.entries.filter(({ level, text }) => level === "error" && !text.includes("RateLimited"))).toEqual([])
    expect(await its.keys.list(await its.idOf("ada"))).toEqual([])
  })

  test("a session with the key of another user keeps being its own, and the other way around", async () => {
    const its = await site()
    const { key } = await newKey(its)
    const browser = await signedIn(its, "grace")
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    expect(await its.keys.verify(bearing(key, { cookie }))).toMatchObject({ userId: await its.idOf("ada") })
    expect(named(its, "used")).toMatchObject([{ actor: { kind: "visitor" }, session: undefined }])
    expect(reasonOf(await its.keys.verify(new Request("https://app.test/", { headers: { cookie } })))).toBe("missing")
  })
})

test("keys of a user are issued slowly, also by 21 requests at once", async () => {
  const its = await siteOf()
  const browser = await signedIn(its)
  const csrfToken = (await browser.csrf()) ?? ""
  const send = async () =>
    browser.fetch("/auth/api-keys/create", {
      method: "POST",
      body: new URLSearchParams({ csrfToken, keyName: "CI", days: "1", "scope:read": "yes" }),
    })
  const responses = await Promise.all(Array.from({ length: 21 }, send))
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(1)
  expect(await its.keys.list(await its.idOf("ada"))).toHaveLength(20)
})
