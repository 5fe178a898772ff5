import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application, Extent } from "../application.js"

const providers = [
  { how: "with the session that the layout hands down", env: {}, requests: 0 },
  { how: "without", env: { SESSION_PROP: "none" }, requests: 1 },
]

/** What the browser believes, beside what the server says. */
export function clientInStep(app: Application, visit: Visit, extent: Extent): void {
  const opened = async (path: string, env = {}): Promise<{ page: Page; origin: string; asked: string[] }> => {
    const { origin } = await app.served(env)
    const { page, asked } = await visit()
    await page.goto(origin + path)
    return { page, origin, asked }
  }

  describe.each(extent === "whole" ? providers : providers.slice(1))(
    "the session provider $how",
    ({ env, requests }) => {
      test("asks as often as it has to when a page is opened", async () => {
        const { page, asked } = await opened("/", env)
        await believes(page, "unauthenticated")
        await page.waitForLoadState("networkidle")
        expect(asked.filter((url) => url.endsWith("/api/auth/session"))).toHaveLength(requests)
      })

      test("sees who signed in or out in a server action that goes to another page", async () => {
        const { page, origin } = await opened("/actions", env)
        await believes(page, "unauthenticated")
        await remember(page)
        await press(page, "Enter")
        await page.waitForURL(`${origin}/private?x=1`)
        await believes(page, "ada")
        expect(await isRemembered(page)).toBe(true)
        await page.goto(`${origin}/actions`)
        await believes(page, "ada")
        await remember(page)
        await press(page, "Leave")
        await page.waitForURL(`${origin}/?left`)
        await believes(page, "unauthenticated")
        expect(await isRemembered(page)).toBe(true)
      })

      test("sees who signed in or out in a server action that stays on the page", async () => {
        const { page } = await opened("/actions", env)
        await believes(page, "unauthenticated")
        await press(page, "Enter quietly")
        await believes(page, "ada")
        await press(page, "Leave quietly")
        await believes(page, "unauthenticated")
      })

      test("is told by another tab who signed in or out", async () => {
        const { page, origin } = await opened("/actions", env)
        const other = await page.context().newPage()
        await other.goto(origin)
        await believes(other, "unauthenticated")
        await press(page, "Enter quietly")
        await believes(page, "ada")
        await believes(other, "ada")
        await press(other, "Leave for good")
        await believes(other, "unauthenticated")
        await believes(page, "unauthenticated")
        await page.reload()
        expect(await page.locator("#layout").innerText()).toBe("nobody")
      })

      test("updates the session, which a server component sees when it is rendered again", async () => {
        const { page, origin } = await opened("/actions", env)
        await press(page, "Enter")
        await page.waitForURL(`${origin}/private?x=1`)
        await believes(page, "ada")
        await remember(page)
        await press(page, "Paint it teal")
        await page.locator("#color").filter({ hasText: "teal" }).waitFor()
        await page.locator("#who").filter({ hasText: '"color":"teal"' }).waitFor()
        expect(await isRemembered(page)).toBe(true)
      })
    },
  )

  test("a session that ends is over in the browser, too", async () => {
    const { page } = await opened("/actions", { MAX_AGE: "10" })
    await press(page, "Enter quietly")
    await believes(page, "ada")
    await believes(page, "unauthenticated")
  })
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click()
}

async function believes(page: Page, text: string): Promise<void> {
  await page.locator("#client").filter({ hasText: text }).waitFor()
}

/** Holds as long as the document is the same one. */
async function remember(page: Page): Promise<void> {
  await page.evaluate("window.kept = true")
}

async function isRemembered(page: Page): Promise<boolean> {
  return page.evaluate("window.kept === true")
}
