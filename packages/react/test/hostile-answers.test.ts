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

/** What a server that is broken, replaced or behind a broken proxy may answer to a form. */
const answers: readonly [name: string, answer: () => Response][] = [
  ["500", () => new Response("<html>", { status: 500 })],
  ["no address", () => Response.json({})],
  ["no JSON", () => new Response("<html>")],
  ["null", () => Response.json(null)],
]

function answersForms(site: Site, answer: () => Response): void {
  site.between = ({ method }) => (method === "POST" ? answer() : undefined)
}

/** Where the page wants to go; it does not get there. */
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

inChromium("where the client goes", (visit) => {
  test.each(modes)("what the page asks for leads nowhere else when the server names no place (%s)", async (mode) => {
    const site = await siteIn(mode)
    const { page } = await visit()
    await page.goto(site.origin)
    const destinations = await watchDestinations(page)
    for (const [name, answer] of answers) {
      answersForms(site, answer)
      for (const to of hostile) {
        for (const call of [`signIn("credentials", {`, "signOut({"]) {
          await run(page, `${call} redirectTo: ${JSON.stringify(to)} })`)
          await expect.poll(() => destinations.length, { message: `${name} ${call} ${to}` }).toBe(1)
          expect([`${site.origin}/auth/error`, `${site.origin}/evil.test`]).toContain(destinations.pop())
        }
      }
    }
    expect(await page.title()).toBe("Probe")
  })

  test.each(modes)("an address that is not http(s) is not gone to, even if the server names it (%s)", async (mode) => {
    const site = await siteIn(mode)
    const { page } = await visit()
    for (const url of hostile.filter((url) => !url.includes("evil.test/") && !url.startsWith("https"))) {
      answersForms(site, () => Response.json({ url }))
      await page.goto(site.origin)
      expect(await run(page, `signIn("credentials", { redirect: false })`)).toMatchObject({ ok: false, url: null })
      const left = page.waitForEvent("framenavigated")
      await page.evaluate(`void app.signIn("credentials")`)
      await left
      expect(page.url()).toBe(`${site.origin}/auth/error`)
      expect(await page.title()).not.toBe("owned")
    }
  })

  test.each(modes)("the real server sends hostile targets home (%s)", async (mode) => {
    const site = await siteIn(mode)
    const { page } = await visit()
    await page.goto(site.origin)
    for (const to of hostile) {
      const fields = `{ name: "ada", password: "open sesame", redirect: false, redirectTo: ${JSON.stringify(to)} }`
      const result = await run(page, `signIn("credentials", ${fields})`)
      expect(result, to).toMatchObject({ ok: true, url: expect.stringMatching(new RegExp(`^${site.origin}/`)) })
    }
  })

  test("a place elsewhere that the server names is gone to", async () => {
    const site = await siteIn("compatible")
    const other = await openSite()
    answersForms(site, () => Response.json({ url: `${other.origin}/there` }))
    const { page } = await visit()
    await page.goto(site.origin)
    const left = page.waitForEvent("framenavigated")
    await page.evaluate(`void app.signIn("credentials")`)
    await left
    await page.waitForLoadState()
    expect(page.url()).toBe(`${other.origin}/there`)
  })
})
