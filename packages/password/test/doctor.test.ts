import { describe, expect, test } from "vitest"
import { good, signIn, siteOf, type Site } from "./site.js"

/** As Lucia 2 stores it. */
const foreign = `s2:abcdefghij012345:${"0".repeat(128)}`

const bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

async function withPassword(site: Site, id: string, hash: string): Promise<void> {
  await site.adapter.createUser?.({ id, email: `${id}@users.test`, emailVerified: new Date(0) })
  await site.server.members["password"]?.["importHash"]?.(id, hash)
}

const reported = async ({ server }: Site) => (await server.moduleFindings()).map(({ finding }) => finding)

describe("`latchkey doctor` reports of passwords", () => {
  test("nothing if there's nothing to do", async () => {
    expect(await reported(siteOf())).toEqual([])
  })

  test("that no email can be sent", async () => {
    const site = siteOf({ mails: false })
    expect(await reported(site)).toEqual([expect.stringContaining("Add an email provider")])
  })

  test("how many hashes are old, until their users sign in", async () => {
    const site = siteOf({ bcrypt: async () => ({ compare: async (typed) => typed === good }) })
    await withPassword(site, "ada", bcrypt)
    await withPassword(site, "grace", foreign)
    expect(await reported(site)).toEqual([expect.stringMatching(/^2 of 2 passwords have the hash of another system/)])
    await signIn(site, "ada@users.test", good)
    expect(await reported(site)).toEqual([expect.stringMatching(/^1 of 2 passwords/)])
  })

  test("hashes with weaker parameters", async () => {
    const site = siteOf({ algorithm: "scrypt" })
    const salt = "AAECAwQFBgcICQoLDA0ODw"
    const key = "iflvGonTFxTTPa7Ooubkv2Qp29p8oXDldUIZwlE+35Q"
    await withPassword(site, "ada", `$scrypt$ln=14,r=8,p=1$${salt}$${key}`)
    await withPassword(site, "grace", `$scrypt$ln=15,r=8,p=3$${salt}$${key}`)
    expect(await reported(site)).toEqual([expect.stringMatching(/^1 of 2 passwords/)])
  })
})
