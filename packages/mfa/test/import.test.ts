import { oneTimeCode } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { enrolled, held, isHeld, newUser, siteOf } from "./site.js"

const key = "IFWHMN3VKN4VM3DIKBZGC6KIKZLFU5L2KRIF6NBXMV3XENTULBJA"

describe("the key of an app that a user has set up in another system", () => {
  test("is asked for at the next sign-in, and is encrypted", async () => {
    const site = await siteOf()
    await newUser(site)
    expect(await site.server.importApp(site.idOf("ada"), key)).toBe(true)
    expect(JSON.stringify(site.store.rows().records)).not.toContain(key)
    expect(site.events.map(({ name }) => name)).toContain("mfa.imported")
    const browser = await held(site)
    expect(isHeld(browser)).toBe(true)
    await browser.submitForm("factor", { code: oneTimeCode(key, site.clock.now()) })
    expect(await browser.session()).toMatchObject({ user: { email: "ada@users.test" } })
  })

  test("may be written in groups, and padded", async () => {
    const site = await siteOf()
    await newUser(site)
    const written = `${(key.toLowerCase().match(/.{1,4}/g) ?? []).join(" ")}====`
    expect(await site.server.importApp(site.idOf("ada"), written)).toBe(true)
    const browser = await held(site)
    await browser.submitForm("factor", { code: oneTimeCode(key, site.clock.now()) })
    expect(await browser.session()).not.toBeNull()
  })

  test("never replaces a second factor, and needs a user", async () => {
    const site = await siteOf()
    await enrolled(site)
    const before = site.store.rows().records
    expect(await site.server.importApp(site.idOf("ada"), key)).toBe(false)
    expect(await site.server.importApp("unknown", key)).toBe(false)
    expect(site.store.rows().records).toEqual(before)
  })

  test.each(["", "IFWHMN3V", "not base 32: 0189", "5f4dcc3b5aa765d61d8327deb882cf99"])("%j isn't one", async (text) => {
    const site = await siteOf()
    await newUser(site)
    await expect(site.server.importApp(site.idOf("ada"), text)).rejects.toThrow(TypeError)
    expect(await site.server.isEnrolled(site.idOf("ada"))).toBe(false)
  })
})
