import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { attackIn } from "../../../tests/attack.js"
import {
  ada,
  codeOf,
  enter,
  grace,
  isSignedIn,
  modes,
  ownerOf,
  signedIn,
  signInByLink,
  type Site,
  siteOf,
} from "./site.js"

const email = "ada@users.test"

/** A user with an email. */
async function withEmail(site: Site): Promise<{ readonly browser: Browser; readonly id: string }> {
  const browser = await site.open()
  await signInByLink(site, browser, email)
  return { browser, id: (await site.store.getUserByEmail?.(email))?.id ?? "" }
}

async function add(site: Site, browser: Browser, number: string): Promise<void> {
  await browser.get("/auth/account")
  await browser.submitForm("phone/add", { phone: number })
  await enter(browser, codeOf(site))
}

describe.each(modes)("the number of an account (%s)", (mode) => {
  const attack = attackIn(mode)

  test("is added with a code, signs its user in from then on, and the user gets an email", async () => {
    const site = siteOf({ mode })
    const { browser, id } = await withEmail(site)
    await add(site, browser, ada)
    expect(new URL(browser.location).pathname).toBe("/auth/account")
    expect(site.messages).toMatchObject([{ to: ada, user: { id } }])
    expect(browser.text).toContain("***123")
    expect(browser.text).not.toContain("900123 ")
    expect(site.letters).toMatchObject([{ to: email, text: expect.stringContaining("***123") as string }])
    await signedIn(site)
    expect([await ownerOf(site, ada), site.store.rows().users.length]).toEqual([id, 1])
  })

  test("is replaced by a new one, and the former number doesn't sign in to the account anymore", async () => {
    const site = siteOf({ mode })
    const { browser, id } = await withEmail(site)
    await add(site, browser, ada)
    await add(site, browser, grace)
    expect([await ownerOf(site, grace), await ownerOf(site, ada)]).toEqual([id, undefined])
    expect(site.letters).toHaveLength(2)
    // The number was given to another person.
    await signedIn(site)
    expect(await ownerOf(site, ada)).not.toBe(id)
  })

  test("is removed by its user, who gets an email, and stays if there's no email", async () => {
    const site = siteOf({ mode })
    const { browser } = await withEmail(site)
    await add(site, browser, ada)
    await browser.get("/auth/account")
    await browser.submitForm("phone/remove")
    expect(await ownerOf(site, ada)).toBeUndefined()
    expect(site.letters.at(-1)?.text).toContain("don't sign you in")
    const nameless = await signedIn(site, grace)
    await nameless.get("/auth/account")
    await nameless.submitForm("phone/remove")
    expect(nameless.response.status).toBe(400)
    expect(await ownerOf(site, grace)).toBeDefined()
  })

  attack("PHONE-11", "of another user isn't taken over, and can't be removed", async () => {
    const site = siteOf({ mode })
    await signedIn(site, grace)
    const owner = await ownerOf(site, grace)
    const { browser } = await withEmail(site)
    await add(site, browser, grace)
    expect(browser.location).toContain("error=")
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/phone/remove", { csrfToken, number: grace })
    expect(await ownerOf(site, grace)).toBe(owner)
  })

  attack("PHONE-10", "needs a recent sign-in", async () => {
    const site = siteOf({ mode })
    const { browser } = await withEmail(site)
    site.clock.advance({ hours: 1 })
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/phone/add", { csrfToken, phone: ada })
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
    expect(site.messages).toEqual([])
  })

  attack("PHONE-10", "needs a recent sign-in when the code is typed, too", async () => {
    const site = siteOf({ mode })
    const { browser } = await withEmail(site)
    site.clock.advance({ minutes: 9 })
    await browser.get("/auth/account")
    await browser.submitForm("phone/add", { phone: ada })
    site.clock.advance({ minutes: 9 })
    await enter(browser, codeOf(site))
    expect(await ownerOf(site, ada)).toBeUndefined()
  })

  attack(
    "PHONE-03",
    "a code to add a number is worth nothing for a visitor or another user in the browser",
    async () => {
      const site = siteOf({ mode })
      const { browser } = await withEmail(site)
      await browser.get("/auth/account")
      await browser.submitForm("phone/add", { phone: ada })
      const [code, other] = [codeOf(site), browser.clone()]
      await signInByLink(site, other, "grace@users.test")
      const csrfToken = (await other.csrf()) ?? ""
      await other.post("/auth/callback/phone", { csrfToken, step: "code", phone: ada, code })
      expect(await ownerOf(site, ada)).toBeUndefined()
    },
  )

  test("what waits to be added ends when the application ends what a user has", async () => {
    const site = siteOf({ mode })
    const { browser, id } = await withEmail(site)
    await browser.get("/auth/account")
    await browser.submitForm("phone/add", { phone: ada })
    await site.server.revoke(id)
    await enter(browser, codeOf(site))
    expect([await ownerOf(site, ada), await isSignedIn(browser)]).toEqual([undefined, false])
  })
})
