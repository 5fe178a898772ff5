import { createServer } from "@latchkey/core/server"
import { describe, expect, test } from "vitest"
import { enrolled, held, isHeld, modes, newUser, signedIn, type Site, siteOf, submit } from "../site.js"

/** Records of a user that have expired, and come before all others. */
async function expire({ store }: Site, kind: string, owner: string): Promise<void> {
  const rest = { kind, owner, index1: null, index2: null, data: "{}", expiresAt: new Date(1) }
  for (let each = 0; each < 150; each++)
    await store.records.insert({ key: `!${String(each).padStart(4, "0")}`, ...rest }, new Date(0))
}

const kinds = ["mfa.device", "mfa.setup", "mfa.sent"] as const

describe.each(modes)("with security: %s, behind many records that have expired,", (security) => {
  const expired = async () => {
    const site = await siteOf({}, { security })
    const person = await enrolled(site)
    for (const kind of kinds) await expire(site, kind, person.id)
    return { site, person }
  }

  test.each(["revoke", "forgetDevices", "new recovery codes"])("no trusted device outlives: %s", async (change) => {
    const { site, person } = await expired()
    const device = await signedIn(site, person, { trust: "yes" })
    const other = await signedIn(site, person)
    if (change === "revoke") await createServer(site.config).revoke(person.id)
    else if (change === "forgetDevices") await site.server.forgetDevices(person.id)
    else await submit(other, "regenerate")
    const live = site.store.rows().records.filter(({ kind, key }) => kind === "mfa.device" && !key.startsWith("!"))
    expect(live).toEqual([])
    await device.signOut()
    expect(isHeld(await held(site, "ada", device))).toBe(true)
  })

  test("`revoke` ends what was begun and every code that was sent", async () => {
    const site = await siteOf({}, { security })
    const browser = await newUser(site)
    await submit(browser, "enroll", { method: "email" })
    await browser.submitForm("mfa/confirm", { code: site.letters.at(-1)?.code ?? "" })
    await submit(browser, "enroll", { method: "app" })
    for (const kind of kinds) await expire(site, kind, site.idOf("ada"))
    const tab = await held(site)
    await tab.submitForm("auth/factor", { action: "email" })
    const live = () =>
      new Set(site.store.rows().records.flatMap(({ kind, key }) => (key.startsWith("!") ? [] : [kind])))
    expect(live()).toContain("mfa.sent")
    await createServer(site.config).revoke(site.idOf("ada"))
    for (const kind of kinds) expect(live()).not.toContain(kind)
  })

  test("a user sees the devices that they trust", async () => {
    const { site, person } = await expired()
    const device = await signedIn(site, person, { trust: "yes" })
    await device.get("/auth/account")
    expect(device.text).toContain("Trusted device")
  })
})
