import { describe, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openSite, shows, signIn } from "./site.js"

inChromium("useSession({ required: true })", (visit) => {
  describe.each([18, 19] as const)("in React %i", (react) => {
    test("redirects to the sign-in page once for several components, and returns", async () => {
      const site = await openSite({ react })
      site.setup = { strict: true, required: 3 }
      const { page } = await visit()
      await page.goto(`${site.origin}/?from=here`)
      await page.waitForURL(/signin/)
      const query = new URLSearchParams({ error: "SessionRequired", callbackUrl: `${site.origin}/?from=here` })
      expect(page.url()).toBe(`${site.origin}/auth/signin?${query}`)
      expect(site.asked()["GET /auth/signin"]).toBe(1)
      await page.getByLabel("Name").fill("ada")
      await page.getByLabel("Password").fill("open sesame")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(`${site.origin}/?from=here`)
      await shows(page, "authenticated ada")
      expect(await page.locator(".required").allInnerTexts()).toEqual(["for ada", "for ada", "for ada"])
    })

    test("calls onUnauthenticated once per component instead, and again after a sign-out", async () => {
      const site = await openSite({ react })
      site.setup = { strict: true, required: 2, counted: true, props: { session: null } }
      const { page } = await visit()
      await page.goto(site.origin)
      await shows(page, "unauthenticated")
      expect(await page.locator(".required").allInnerTexts()).toEqual(["loading", "loading"])
      expect(await page.evaluate("calls.length")).toBe(2)
      await signIn(page)
      await shows(page, "authenticated ada")
      await page.evaluate("app.signOut({ redirect: false })")
      await shows(page, "unauthenticated")
      expect(await page.evaluate("calls.length")).toBe(4)
      expect(page.url()).toBe(`${site.origin}/`)
    })
  })

  test("signing out redirects to redirectTo, not to the sign-in page", async () => {
    const site = await openSite()
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await signIn(page)
    site.setup = { required: 1 }
    await page.goto(site.origin)
    await shows(page, "authenticated ada")
    site.setup = {}
    await page.evaluate(`void app.signOut({ redirectTo: "/goodbye" })`)
    await page.waitForURL(`${site.origin}/goodbye`)
    expect(site.asked()["GET /auth/signin"]).toBeUndefined()
  })
})
