import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { run, shows, signIn } from "./site.js"
import { siteIn } from "./site-in-mode.js"

const modes = ["strict", "compatible"] as const

inChromium("signing out", (visit) => {
  test.each(modes)("removes the user's data from every tab of the site (%s)", async (mode) => {
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
      await shows(tab, "unauthenticated visitor")
      expect(await tab.content()).not.toContain("ada")
      expect(await run(tab, "config._session")).toBeNull()
    }
    expect(site.asked()["GET /auth/session"]).toBeUndefined()
  })
})
