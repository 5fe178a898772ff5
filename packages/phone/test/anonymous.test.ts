import { anonymous } from "@latchkey/anonymous"
import { expect, test } from "vitest"
import { ada, codeOf, enter, grace, isSignedIn, modes, ownerOf, signedIn, siteOf } from "./site.js"

test.each(modes)(
  "an anonymous user keeps the id with a number, and moves with a sign-up by phone (%s)",
  async (mode) => {
    const moved: string[] = []
    const guests = anonymous({ onUpgrade: ({ anonymous: { id } }) => void moved.push(id) })
    const config = { session: { strategy: "database", stepUp: true }, modules: [guests] } as const
    const site = siteOf({ mode, config })
    const browser = await site.open()
    await browser.signIn("anonymous")
    const [id] = site.store.rows().users.map((user) => user.id)
    await browser.get("/auth/account")
    await browser.submitForm("phone/add", { phone: ada })
    await enter(browser, codeOf(site))
    expect([await ownerOf(site, ada), await isSignedIn(browser), moved]).toEqual([id, true, []])
    expect(await site.server.members["anonymous"]?.["isAnonymous"]?.(id)).toBe(false)
    const other = await site.open()
    await other.signIn("anonymous")
    const [, guest] = site.store.rows().users.map((user) => user.id)
    await signedIn(site, grace, other)
    expect(moved).toEqual([guest])
    expect(site.store.rows().users.map((user) => user.id)).toEqual([id, await ownerOf(site, grace)])
  },
)
