import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application, Extent } from "../application.js"

const providers = [
  { how: "with a session prop", env: {}, requests: 0 },
  { how: "without a session prop", env: { SESSION_PROP: "none" }, requests: 1 },
]

export function clientSync(app: Application, visit: Visit, extent: Extent): void {
  const opened = async (path: string, env = {}): Promise<{ page: Page; origin: string; asked: string[] }> => {
    const { origin } = await app.served(env)
    const { page, asked } = await visit()
    await page.goto(origin + path)
    return { page, origin, asked }
  }

  describe.each(extent === "all" ? providers : providers.slice(1))("SessionProvider $how", ({ env, requests }) => {
    test("sends the expected number of requests when a page loads", async () => {
      const { page, asked } = await opened("/", env)
      await shows(page, "unauthenticated")
      await page.waitForLoadState("networkidle")
      expect(asked.filter((url) => url.endsWith("/api/auth/session"))).toHaveLength(requests)
    })

    test("updates after a server action signs in or out with a redirect", async () => {
      const { page, origin } = await opened("/actions", env)
      await shows(page, "unauthenticated")
      await markDocument(page)
      await press(page, "Sign in")
      await page.waitForURL(`${origin}/private?x=1`)
      await shows(page, "ada")
      expect(await isMarked(page)).toBe(true)
      await page.goto(`${origin}/actions`)
      await shows(page, "ada")
      await markDocument(page)
      await press(page, "Sign out")
      await page.waitForURL(`${origin}/?left`)
      await shows(page, "unauthenticated")
      expect(await isMarked(page)).toBe(true)
    })

    test("updates after a server action signs in or out without a redirect", async () => {
      const { page } = await opened("/actions", env)
      await shows(page, "unauthenticated")
      await press(page, "Sign in without redirect")
      await shows(page, "ada")
      await press(page, "Sign out without redirect")
      await shows(page, "unauthenticated")
    })

    test("updates after another tab signs in or out", async () => {
      const { page, origin } = await opened("/actions", env)
      const other = await page.context().newPage()
      await other.goto(origin)
      await shows(other, "unauthenticated")
      await press(page, "Sign in without redirect")
      await shows(page, "ada")
      await shows(other, "ada")
      await press(other, "Sign out in the browser")
      await shows(other, "unauthenticated")
      await shows(page, "unauthenticated")
      await page.reload()
      expect(await page.locator("#layout").innerText()).toBe("visitor")
    })

    test("`update` reaches a Server Component when it renders again", async () => {
      const { page, origin } = await opened("/actions", env)
      await press(page, "Sign in")
      await page.waitForURL(`${origin}/private?x=1`)
      await shows(page, "ada")
      await markDocument(page)
      await press(page, "Set teal")
      await page.locator("#color").filter({ hasText: "teal" }).waitFor()
      await page.locator("#session").filter({ hasText: '"color":"teal"' }).waitFor()
      expect(await isMarked(page)).toBe(true)
    })
  })

  // Takes as long as the session lasts, and the provider uses nothing of Next.js for it.
  if (extent === "some") return
  test("an expired session also ends in the browser", async () => {
    const { page } = await opened("/actions", { MAX_AGE: "10" })
    await press(page, "Sign in without redirect")
    await shows(page, "ada")
    await shows(page, "unauthenticated")
  })
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click()
}

async function shows(page: Page, text: string): Promise<void> {
  await page.locator("#client").filter({ hasText: text }).waitFor()
}

/** The mark disappears if the browser loads another document. */
async function markDocument(page: Page): Promise<void> {
  await page.evaluate("window.marked = true")
}

async function isMarked(page: Page): Promise<boolean> {
  return page.evaluate("window.marked === true")
}
