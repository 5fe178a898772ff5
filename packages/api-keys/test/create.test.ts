import { describe, expect, test } from "vitest"
import { check, createOn, day, named, newKey, parallel, signedIn, siteOf, stores } from "./site.js"

const wanted = { name: "CI", scopes: ["read"] }

describe.each(stores)("a user has a limited number of keys, on $name", ({ open }) => {
  test("of 20 creations at once, in three processes, those that fit win", async () => {
    const site = await siteOf({ adapter: await open(), maxKeys: 5 })
    const userId = await site.idOf("ada")
    const processes = [site.keys, site.another(), site.another()]
    const outcomes = await parallel(async (index) => (processes[index % 3] ?? site.keys).create({ userId, ...wanted }))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(5)
    expect(outcomes.flatMap((each) => (each.ok ? [] : [each.problem]))).toEqual(Array(15).fill("limit"))
    expect(await site.keys.list(userId)).toHaveLength(5)
    for (const each of outcomes) if (each.ok) expect(await check(site, each.key)).toBe("valid")
  })

  test("of 20 at once on the last free place, one wins", async () => {
    const site = await siteOf({ adapter: await open(), maxKeys: 2 })
    const userId = await site.idOf("ada")
    await newKey(site)
    const outcomes = await parallel(async () => site.keys.create({ userId, ...wanted }))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await site.keys.list(userId)).toHaveLength(2)
  })

  test("a key that is revoked or has expired makes room, and another user has room anyway", async () => {
    const site = await siteOf({ adapter: await open(), maxKeys: 2 })
    const userId = await site.idOf("ada")
    const [first] = [await newKey(site), await newKey(site, { expiresIn: day })]
    expect(await site.keys.create({ userId, ...wanted })).toEqual({ ok: false, problem: "limit" })
    await newKey(site, { userId: await site.idOf("grace") })
    await site.keys.revoke(first.keyId)
    await newKey(site)
    expect(await site.keys.create({ userId, ...wanted })).toEqual({ ok: false, problem: "limit" })
    site.clock.advance({ days: 1 })
    await newKey(site)
    expect(await site.keys.create({ userId, ...wanted })).toEqual({ ok: false, problem: "limit" })
    expect(await site.keys.list(userId)).toHaveLength(2)
  })
})

describe("what is typed has limits", () => {
  test.each([
    ["", "name"],
    ["   ", "name"],
    ["x".repeat(65), "name"],
    ["x".repeat(100_000), "name"],
    ["a\r\nBcc: x", "name"],
    ["\u202egnihton", "name"],
    ["\u0000", "name"],
  ])("a name such as %j is refused", async (name, problem) => {
    const site = await siteOf()
    const userId = await site.idOf("ada")
    expect(await site.keys.create({ userId, ...wanted, name })).toEqual({ ok: false, problem })
  })

  test.each([[[]], [["admin"]], [["read", "admin"]], [["read write"]], [["__proto__"]]])(
    "scopes such as %j are refused",
    async (scopes) => {
      const site = await siteOf()
      const userId = await site.idOf("ada")
      expect(await site.keys.create({ userId, name: "CI", scopes })).toEqual({ ok: false, problem: "scopes" })
    },
  )

  test("names in any script are kept", async () => {
    const site = await siteOf()
    for (const name of ["Bau & Übung", "自動化", "بناء", "<b>CI</b>"]) await newKey(site, { name })
    const browser = await signedIn(site)
    expect(browser.text).toContain("&lt;b&gt;CI&lt;/b&gt;")
    expect(browser.text).not.toContain("<b>CI")
  })
})

describe("the account page", () => {
  test("creates a key without JavaScript, shows it once in a page that isn't cached, and sends an email", async () => {
    const site = await siteOf()
    const browser = await signedIn(site)
    const key = await createOn(browser, { keyName: "Deploy", days: "7" })
    expect(browser.response.headers.get("cache-control")).toContain("no-store")
    expect(await check(site, key, "read")).toBe("valid")
    expect(await check(site, key, "write")).toBe("scope")
    expect(site.sent.map(({ identifier }) => identifier)).toEqual(["ada@users.test"])
    await browser.get("/auth/account")
    const start = key.slice(0, 21)
    for (const text of ["Deploy", start, "read", "Created: January 1", "Last used:", "Expires: January 8"])
      expect(browser.text).toContain(text)
    expect(browser.text).not.toContain(key.slice(22))
    site.clock.advance({ days: 7 })
    await browser.signIn("credentials", { name: "ada", callbackUrl: "/auth/account" })
    expect(browser.text).toContain("Expired: January 8")
  })

  test("says what is wrong, and keeps what was typed", async () => {
    const site = await siteOf({ maxKeys: 1 })
    const browser = await signedIn(site)
    expect(await createOn(browser, { keyName: "Deploy", days: "91" })).toBe("")
    expect(browser.response.status).toBe(400)
    expect(browser.text).toMatch(/from 1 to 90.*value="Deploy"/s)
    await browser.submitForm("api-keys/create", { keyName: "Deploy", days: "90", "scope:read": "yes" })
    expect(await createOn(browser)).toBe("")
    expect(browser.text).toContain("You have 1 API keys")
    expect(named(site, "created").map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      "lifetime",
      "success",
      "limit",
    ])
  })

  test("revokes a key", async () => {
    const site = await siteOf()
    const browser = await signedIn(site)
    const key = await createOn(browser)
    site.clock.advance({ days: 1 })
    await browser.get("/auth/account")
    await browser.submitForm("api-keys/revoke")
    expect(new URL(browser.location).pathname).toBe("/auth/account")
    expect(await check(site, key)).toBe("invalid")
    expect(named(site, "revoked")).toMatchObject([{ outcome: "success", actor: { kind: "user" } }])
  })

  test("offers a key without an end only if the configuration allows it", async () => {
    const site = await siteOf({ maxAge: null })
    const browser = await signedIn(site)
    const key = await createOn(browser, { days: "" })
    site.clock.advance({ days: 4000 })
    expect(await check(site, key)).toBe("valid")
    const strict = await siteOf()
    expect(await createOn(await signedIn(strict), { days: "" })).toBe("")
  })

  test("offers a disabled user no key, but shows those that there are", async () => {
    let isDisabled = false
    const site = await siteOf({ rights: () => (isDisabled ? null : ["read"]) })
    const browser = await signedIn(site)
    await createOn(browser)
    isDisabled = true
    await browser.get("/auth/account")
    expect(browser.forms.map(({ action }) => action.split("/").at(-1))).not.toContain("create")
    expect(browser.text).toContain("Revoke CI")
  })
})
