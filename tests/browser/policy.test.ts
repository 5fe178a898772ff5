import { expect, test } from "vitest"
import { inChromium, signIn, who } from "./chromium.js"
import { openHost, strictest } from "./host.js"
import { errors, linkTo, pagesAt, shoot } from "./looks.js"

const grounds = { light: "rgb(246, 247, 249)", dark: "rgb(12, 14, 18)" } as const
const schemes = ["light", "dark"] as const

inChromium("the policy of the built-in pages", (visit) => {
  test.each([true, false])(
    "allows everything on them, and they load nothing from other sites: scripts %s",
    async (scripts) => {
      const host = await openHost("strict")
      const { page, complaints, asked } = await visit({ javaScriptEnabled: scripts })
      for (const [name, path] of [...pagesAt, ["confirm", await linkTo(host)] as const]) {
        const response = await page.goto(host.origin + path)
        expect(await page.locator("main h1").isVisible(), name).toBe(true)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
          expect(ground, name).toBe(grounds[colorScheme])
          await shoot(page, `${name}-${colorScheme}`)
        }
        expect(unexpected(complaints.splice(0), response?.status()), name).toEqual([])
      }
      expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(new Set([host.origin]))
    },
  )

  test("works together with the strictest policy of an application, and the pages look the same", async () => {
    const host = await openHost("compatible")
    const { page, complaints } = await visit({ viewport: { width: 420, height: 640 }, reducedMotion: "reduce" })
    for (const [name, path] of [...pagesAt, ["confirm", await linkTo(host)] as const]) {
      host.policy = undefined
      await page.goto(host.origin + path)
      const usual = await page.screenshot()
      complaints.length = 0
      host.policy = strictest
      const response = await page.goto(host.origin + path)
      const policies = (await response?.headerValue("content-security-policy"))?.split(", ")
      expect(policies, name).toEqual([expect.any(String), expect.stringContaining("trusted-types 'none'")])
      expect(usual.equals(await page.screenshot()), name).toBe(true)
      expect(unexpected(complaints, response?.status()), name).toEqual([])
    }
  })

  const ways = [
    ["strict", true],
    ["compatible", false],
  ] as const
  test.each(ways)("[%s] lets a user sign in and out under the strictest policy: scripts %s", async (mode, scripts) => {
    const host = await openHost(mode)
    host.policy = strictest
    const { page, complaints } = await visit({ javaScriptEnabled: scripts })
    await signIn(page, host.origin)
    expect(await who(page, host.origin)).toBe("ada")
    await page.goto(`${host.origin}/auth/signout`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(`${host.origin}/`)
    expect(await page.locator("#who").innerText()).toBe("signed out")
    expect(complaints).toEqual([])
  })

  test("[strict] lets a user sign in with the code from an email under the strictest policy, without scripts", async () => {
    const host = await openHost("strict")
    await host.store.createUser({ id: "1", name: "ada", email: "ada@example.test", emailVerified: new Date(0) })
    host.policy = strictest
    const { page, complaints } = await visit({ javaScriptEnabled: false })
    await page.goto(`${host.origin}/auth/signin?callbackUrl=/`)
    await page.locator("input[name=email]").fill("ada@example.test")
    await page.locator("input[name=email]").press("Enter")
    await page.locator("input[name=code]").fill(host.codes[0] ?? "")
    await page.locator("input[name=code]").press("Enter")
    await page.waitForURL(`${host.origin}/`)
    expect(await page.locator("#who").innerText()).toBe("ada")
    expect(complaints).toEqual([])
  })
})

/** The browser also reports the status of an error page as an error. */
function unexpected(complaints: readonly string[], status: number | undefined): readonly string[] {
  return complaints.filter((text) => !(errors.has(status) && text.includes(`status of ${status}`)))
}
