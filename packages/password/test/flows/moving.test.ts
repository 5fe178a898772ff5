import { scryptSync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { askReset, better, choose, good, isSignedIn, linkTo, modes, signIn, siteOf, type Site } from "../site.js"

const ada = "ada@users.test"

/** As Better Auth stores it. */
function former(password: string): string {
  const salt = "00112233445566778899aabbccddeeff"
  return `${salt}:${scryptSync(password, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 27 }).toString("hex")}`
}

async function withUser(site: Site, emailVerified: Date | null = new Date(0)): Promise<string> {
  const user = await site.adapter.createUser?.({ id: "u1", name: "Ada", email: ada, emailVerified })
  return user?.id ?? ""
}

const importHash = (site: Site, userId: string, hash: string, options?: object) =>
  site.server.members["password"]?.["importHash"]?.(userId, hash, options)

const formatOf = (site: Site, hash: string) => site.server.members["password"]?.["formatOf"]?.(hash)

describe.each(modes)("an imported hash (%s)", (mode) => {
  test("signs in, and is made anew after the first success", async () => {
    const site = siteOf({ mode })
    const id = await withUser(site)
    expect(await importHash(site, id, former(good))).toBe(true)
    const before = await site.adapter.records?.get("password.password", id)
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(false)
    expect(await site.adapter.records?.get("password.password", id)).toEqual(before)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
    expect(await site.adapter.records?.get("password.password", id)).not.toEqual(before)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  test("never replaces a password, and needs a user and a known format", async () => {
    const site = siteOf({ mode })
    const id = await withUser(site)
    expect(await importHash(site, "unknown", former(good))).toBe(false)
    await expect(importHash(site, id, "plain")).rejects.toThrow("unknown format")
    expect(await importHash(site, id, former(good))).toBe(true)
    expect(await importHash(site, id, former(better))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  test("replaces a password if it's told to, with the links of the one before", async () => {
    const site = siteOf({ mode })
    const id = await withUser(site)
    await importHash(site, id, former(good))
    await askReset(site, ada)
    expect(await importHash(site, id, former(better), { replace: true })).toBe(true)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
    const browser = await site.open()
    await browser.get(linkTo(site, ada))
    expect(browser.text).toContain("This link doesn&#39;t work")
    expect(site.events.filter(({ name }) => name === "password.imported")).toHaveLength(2)
  })

  test("ends a link that was sent before, because the password is another one", async () => {
    const site = siteOf({ mode })
    const id = await withUser(site)
    await askReset(site, ada)
    await importHash(site, id, former(good))
    const browser = await site.open()
    await browser.get(linkTo(site, ada))
    expect(browser.text).toContain("This link doesn&#39;t work")
  })

  test("of an email that isn't verified doesn't work, and is dropped when the mailbox is proven", async () => {
    const links: string[] = []
    const email = {
      id: "link",
      name: "Link",
      type: "email",
      sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
    } as const
    const site = siteOf({ mode, config: { providers: [email] } })
    const id = await withUser(site, null)
    await importHash(site, id, former(good))
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
    const owner = await site.open()
    await owner.signIn("link", { email: ada })
    await owner.get(links[0] ?? "")
    expect(await isSignedIn(owner)).toBe(true)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
    await askReset(site, ada)
    await choose(await site.open(), linkTo(site, ada), better)
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
  })
})

test("the format of a hash is known, and one that no sign-in could verify is refused", async () => {
  const bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
  const site = siteOf()
  const id = await withUser(site)
  expect(await formatOf(site, former(good))).toBe("salt:key")
  expect(await formatOf(site, "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g")).toBe("argon2id")
  await expect(formatOf(site, bcrypt)).rejects.toThrow("Pass `bcrypt")
  await expect(importHash(site, id, bcrypt)).rejects.toThrow("Pass `bcrypt")
  expect(await formatOf(siteOf({ bcrypt: async () => import("bcryptjs") }), bcrypt)).toBe("bcrypt")
})

test("an old system is asked until the password is here, for any email, and for none that isn't verified", async () => {
  const asked: unknown[] = []
  const verify = ({ email, password }: { readonly email: string; readonly password: string }) => {
    asked.push(email)
    return password === good
  }
  const site = siteOf({ verify })
  const id = await withUser(site, null)
  expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
  await site.adapter.updateUser?.({ id, emailVerified: new Date(0) })
  expect(await isSignedIn(await signIn(site, ada, better))).toBe(false)
  expect(await isSignedIn(await signIn(site, "unknown@users.test", good))).toBe(false)
  expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  expect(asked).toEqual([ada, ada, "unknown@users.test", ada])
  expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  expect(asked).toHaveLength(4)
})
