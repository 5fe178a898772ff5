import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openSite, run, type Site } from "./site.js"
import { siteIn } from "./site-in-mode.js"

const hostile = [
  "javascript:document.title='owned'",
  " java\tscript:document.title='owned'",
  "data:text/html,owned",
  "blob:https://evil.test/1",
  "//evil.test/",
  "/\\evil.test/",
  "https://evil.test/",
  "https:evil.test",
  "http://[",
]

/** Responses to a form from a broken or compromised server, or from a broken proxy. */
const answers: readonly [name: string, answer: () => Response][] = [
  ["500", () => new Response("<html>", { status: 500 })],
  ["no URL", () => Response.json({})],
  ["not JSON", () => new Response("<html>")],
  ["null", () => Response.json(null)],
]

function respondToForms(site: Site, answer: () => Response): void {
  site.between = ({ method }) => (method === "POST" ? answer() : undefined)
}

/** Records the navigations of the page and cancels them. */
async function watchDestinations(page: Page): Promise<string[]> {
  const destinations: string[] = []
  await page.route("**/*", async (route) => {
    if (!route.request().isNavigationRequest()) return route.fallback()
    destinations.push(route.request().url())
    return route.abort("aborted")
  })
  return destinations
}

const modes = ["strict", "compatible"] as const

inChromium("navigation", (visit) => {
  test.each(modes)("without a URL from the server, redirectTo never leads to another origin (%s)", async (mode) => {
    const site = await siteIn(mode)
    const { page } = await visit()
    await page.goto(site.origin)
    const destinations = await watchDestinations(page)
    for (const [name, answer] of answers) {
      respondToForms(site, answer)
      for (const to of hostile) {
        for (const call of [`signIn("credentials", {`, "signOut({"]) {
          await run(page, `${call} redirectTo: ${JSON.stringify(to)} })`)
          await expect.poll(() => destinations.length, { message: `${name} ${call} ${to}` }).toBe(1)
          expect([`${site.origin}/auth/error`, `${site.origin}/evil.test`]).toContain(destinations.pop())
        }
      }
    }
    // Chromium shows a title of its own for a moment after a canceled navigation.
    await expect.poll(() => page.title()).toBe("Probe")
  })

  test.each(modes)("a URL that isn't http(s) is never opened, even if the server returns it (%s)", async (mode) => {
    const site = await siteIn(mode)
    const { page } = await visit()
    for (const url of hostile.filter((url) => !url.includes("evil.test/") && !url.startsWith("https"))) {
      respondToForms(site, () => Response.json({ url }))
      await page.goto(site.origin)
      expect(await run(page, `signIn("credentials", { redirect: false })`)).toMatchObject({ ok: false, url: null })
      const left = page.waitForEvent("framenavigated")
      await page.evaluate(`void app.signIn("credentials")`)
      await left
      expect(page.url()).toBe(`${site.origin}/auth/error`)
      expect(await page.title()).not.toBe("owned")
    }
  })

  test.each(modes)("the server replaces a hostile redirectTo (%s)", async (mode) => {
    const site = await siteIn(mode)
    const { page } = await visit()
    await page.goto(site.origin)
    for (const to of hostile) {
      const fields = `{ name: "ada", password: "open sesame", redirect: false, redirectTo: ${JSON.stringify(to)} }`
      const result = await run(page, `signIn("credentials", ${fields})`)
      expect(result, to).toMatchObject({ ok: true, url: expect.stringMatching(new RegExp(`^${site.origin}/`)) })
    }
  })

  test("a URL on another origin is opened if the server returns it", async () => {
    const site = await siteIn("compatible")
    const other = await openSite()
    respondToForms(site, () => Response.json({ url: `${other.origin}/there` }))
    const { page } = await visit()
    await page.goto(site.origin)
    const left = page.waitForEvent("framenavigated")
    await page.evaluate(`void app.signIn("credentials")`)
    await left
    await page.waitForLoadState()
    expect(page.url()).toBe(`${other.origin}/there`)
  })
})
