import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { inChromium } from "../../../../tests/browser/chromium.js"
import { run, shows, signIn } from "../site.js"
import { siteIn } from "./setup.js"

inChromium("leaving", (visit) => {
  attack("OUT-02", "sign-out in one tab takes the person's data out of every other tab of the site", async (mode) => {
    const site = await siteIn(mode)
    const { page } = await visit()
    const other = await page.context().newPage()
    for (const tab of [page, other]) {
      await tab.goto(site.origin)
      await shows(tab, "unauthenticated")
    }
    await signIn(page)
    await shows(other, "authenticated ada")
    site.asked()
    expect(await run(page, "signOut({ redirect: false })")).toMatchObject({ ok: true })
    for (const tab of [page, other]) {
      await shows(tab, "unauthenticated nobody")
      expect(await tab.content()).not.toContain("ada")
      expect(await run(tab, "config._session")).toBeNull()
    }
    expect(site.asked()["GET /auth/session"]).toBeUndefined()
  })
})
