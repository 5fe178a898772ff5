import { describe, expect, test } from "vitest"
import { bearing, check, createOn, day, keyOn, named, newKey, parallel, signedIn, siteOf, stores } from "./site.js"

describe.each(stores)("5. Rotation with an overlap, on $name", ({ open }) => {
  test("the former secret works for a day, and the new one from now on, with the same id and scopes", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site, { scopes: ["read"] })
    site.clock.advance({ days: 80 })
    const rotated = await site.keys.rotate(keyId)
    const next = rotated.ok ? rotated.key : ""
    const known = { keyId, scopes: ["read"], expiresAt: new Date(site.clock.now() + 90 * day * 1000) }
    for (const each of [key, next]) expect(await site.keys.verify(bearing(each))).toMatchObject(known)
    site.clock.advance({ days: 1 })
    expect(await check(site, key)).toBe("expired")
    expect(await check(site, next)).toBe("valid")
  })

  test("of 20 rotations at once, one wins, and both secrets work", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    const processes = [site.keys, site.another(), site.another()]
    const browsers = await Promise.all(Array.from({ length: 20 }, async () => signedIn(site)))
    const values = { id: keyId, generation: "0" }
    const pages = await Promise.all(
      browsers.map(async (browser) => {
        await browser.post("/auth/api-keys/rotate", { ...values, csrfToken: (await browser.csrf()) ?? "" })
        return browser
      }),
    )
    const shown = pages.map(keyOn).filter((each) => each !== "")
    expect(shown).toHaveLength(1)
    expect(pages.filter(({ response }) => response.status === 409)).toHaveLength(19)
    for (const keys of processes) for (const each of [key, ...shown]) expect(await check({ keys }, each)).toBe("valid")
  })

  test("parallel rotations of programs and uses lose no secret that was handed out", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    const outcomes = await parallel(async (index) => {
      if (index % 4 > 0) return check(site, key)
      const rotated = await site.keys.rotate(keyId)
      return rotated.ok ? rotated.key : rotated.problem
    })
    const won = outcomes.filter((each) => each.startsWith("acme_"))
    expect(won.length).toBeGreaterThan(0)
    expect(await check(site, won.at(-1) ?? "")).toBe("valid")
  })

  test("a rotation that ends the former secret at once does, and one in the overlap keeps two former ones", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    const keys = [key]
    for (let count = 0; count < 3; count++) {
      const rotated = await site.keys.rotate(keyId)
      if (rotated.ok) keys.push(rotated.key)
    }
    expect(await Promise.all(keys.map(async (each) => check(site, each)))).toEqual([
      "invalid",
      "valid",
      "valid",
      "valid",
    ])
    const last = await site.keys.rotate(keyId, { overlap: 0 })
    for (const each of keys) expect(await check(site, each)).toBe("invalid")
    expect(await check(site, last.ok ? last.key : "")).toBe("valid")
    for (const overlap of [-5, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(site.keys.rotate(keyId, { overlap })).rejects.toThrow("`overlap` isn't a number of seconds")
  })

  test("an expired secret doesn't come back, and a revoked key isn't rotated", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    site.clock.advance({ days: 90 })
    const rotated = await site.keys.rotate(keyId)
    expect(await check(site, key)).not.toBe("valid")
    expect(await check(site, rotated.ok ? rotated.key : "")).toBe("valid")
    await site.keys.revoke(keyId)
    expect(await site.keys.rotate(keyId)).toEqual({ ok: false, problem: "not-found" })
    expect(await check(site, rotated.ok ? rotated.key : "")).toBe("invalid")
  })

  test("a key that never expired does after a rotation, if the configuration allows less by now", async () => {
    const site = await siteOf({ adapter: await open() })
    const lasting = site.another({ maxAge: null })
    const userId = await site.idOf("ada")
    const created = await lasting.create({ userId, name: "CI", scopes: ["read"], expiresIn: null })
    const rotated = await site.keys.rotate(created.ok ? created.apiKey.keyId : "")
    site.clock.advance({ days: 90 })
    expect(await check(site, rotated.ok ? rotated.key : "")).toBe("expired")
  })

  test("a key follows a shorter `maxAge` from its next rotation", async () => {
    const site = await siteOf({ adapter: await open() })
    const { keyId } = await newKey(site)
    const rotated = await site.another({ maxAge: 30 * day }).rotate(keyId)
    site.clock.advance({ days: 30 })
    expect(await check(site, rotated.ok ? rotated.key : "")).toBe("expired")
  })

  test("a rotation reminds again before the new end", async () => {
    const site = await siteOf({ adapter: await open() })
    const { key, keyId } = await newKey(site)
    site.clock.advance({ days: 80 })
    await check(site, key)
    const rotated = await site.keys.rotate(keyId)
    site.clock.advance({ days: 75 })
    await check(site, rotated.ok ? rotated.key : "")
    expect(site.sent).toHaveLength(1)
    site.clock.advance({ days: 1 })
    await check(site, rotated.ok ? rotated.key : "")
    expect(site.sent).toHaveLength(2)
  })
})

describe("5. A user rotates on the account page", () => {
  test("the new key is shown once, by email the user knows of it, and the former one works", async () => {
    const site = await siteOf()
    const browser = await signedIn(site)
    const key = await createOn(browser)
    await browser.get("/auth/account")
    await browser.submitForm("api-keys/rotate")
    const next = keyOn(browser)
    expect(browser.response.headers.get("cache-control")).toContain("no-store")
    expect([await check(site, key), await check(site, next)]).toEqual(["valid", "valid"])
    expect(site.sent.map(({ letter }) => letter?.text.includes("CI"))).toEqual([true, true])
    expect(named(site, "rotated")).toMatchObject([{ outcome: "success", actor: { kind: "user" } }])
    await browser.get("/auth/account")
    expect(browser.text).toContain("The former key works until")
    expect(browser.text).not.toContain(next.slice(22))
  })

  test.each(["create", "rotate"])("`%s` needs a recent sign-in", async (route) => {
    const site = await siteOf()
    const browser = await signedIn(site)
    const key = await createOn(browser)
    await browser.get("/auth/account")
    site.clock.advance({ days: 1 })
    await browser.submitForm(
      `api-keys/${route}`,
      route === "create" ? { keyName: "CI", days: "1", "scope:read": "yes" } : {},
    )
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
    expect(await site.keys.list(await site.idOf("ada"))).toHaveLength(1)
    expect(named(site, "rotated")).toEqual([])
    expect(await check(site, key)).toBe("valid")
  })
})
