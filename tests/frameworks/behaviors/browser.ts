import type { Page } from "playwright-core"
import { expect } from "vitest"
import type { Visitor } from "../../browser/chromium.js"
import { behavior } from "../behavior.js"
import type { Site } from "../site.js"
import { environments, password } from "../steps.js"

/** Waits until an element shows a text. */
async function shows(page: Page, id: string, text: string): Promise<void> {
  await page.locator(`#${id}`).filter({ hasText: text }).waitFor()
}

/** Signs in on the page of the application. */
async function enterPassword(page: Page, given = password): Promise<void> {
  await page.locator("#password [name$=email]").fill("ada@users.test")
  await page.locator("#password [name$=password]").fill(given)
  await page.locator("#password button").click()
}

/** From a protected page to the application's sign-in page, past a wrong password, and out again. */
async function signInAndOut(site: Site, { page, complaints }: Visitor): Promise<void> {
  await page.goto(`${site.origin}/account?tab=1`)
  await page.waitForURL(/\/sign-in\/?\?(?:.*&)?callbackUrl=/)
  await enterPassword(page, "wrong")
  await page.locator("#error").waitFor()
  await enterPassword(page)
  await page.waitForURL(/\/account\/?\?tab=1$/)
  await shows(page, "account", "ada@users.test")
  await page.locator("#rename [name=name]").fill("Countess")
  await page.locator("#rename button").click()
  await shows(page, "name", "Countess")
  await page.goto(`${site.origin}/`)
  await shows(page, "user", "ada@users.test")
  await page.locator("#sign-out button").click()
  await shows(page, "user", "Not signed in")
  // The page of a refused sign-in may say so in its status.
  expect(complaints.filter((text) => !/status of 4\d\d .*\/sign-in\b/.test(text))).toEqual([])
}

/** Signs in on the built-in page, and opens a page. */
async function signedInAt(site: Site, { page }: Visitor, path: string): Promise<void> {
  await page.goto(`${site.origin}${site.basePath}/signin?callbackUrl=${encodeURIComponent(path)}`)
  // Of several forms, one is open.
  const summary = page.locator("summary", { hasText: "password" })
  if (await summary.isVisible()) await summary.click()
  const form = page.locator("form", { has: page.locator("[type=password]") })
  await form.getByLabel("Email", { exact: true }).fill("ada@users.test")
  await form.locator("[type=password]").fill(password)
  await form.locator("button.submit").click()
  await page.waitForURL((url) => url.pathname.replace(/\/$/, "") === path.replace(/\/$/, ""))
}

export const browser = [
  behavior({
    id: "browser.scripts",
    title: "with JavaScript, forms of the application sign in, show a wrong password, rename and sign out",
    needs: "pages",
    env: { SIGN_IN_PAGE: "/sign-in" },
    run: async (site, visit) => signInAndOut(site, await visit()),
  }),
  behavior({
    id: "browser.no-scripts",
    title: "without JavaScript, forms of the application sign in, show a wrong password, rename and sign out",
    needs: "pages",
    env: { SIGN_IN_PAGE: "/sign-in" },
    run: async (site, visit) => signInAndOut(site, await visit({ javaScriptEnabled: false })),
  }),
  behavior({
    id: "browser.provider",
    title: "an OpenID provider signs in from a protected page",
    needs: "pages",
    async run(site, visit) {
      const { page, complaints } = await visit()
      await page.goto(`${site.origin}/account`)
      await page.getByRole("button", { name: "Acme" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
      await page.waitForURL(/\/account\/?$/)
      await shows(page, "account", "linus@example.test")
      expect(complaints).toEqual([])
    },
  }),
  behavior({
    id: "client.session",
    title: "`useSession` shows the user, without an error on the console",
    needs: "client",
    async run(site, visit) {
      const visitor = await visit()
      await signedInAt(site, visitor, "/client")
      await shows(visitor.page, "client-user", "ada@users.test")
      expect(visitor.complaints).toEqual([])
    },
  }),
  behavior({
    id: "client.update",
    title: "`update` of the client changes the session in the page and on the server",
    needs: "client",
    async run(site, visit) {
      const visitor = await visit()
      await signedInAt(site, visitor, "/client")
      await shows(visitor.page, "client-user", "ada@users.test")
      let isUpdated = false
      visitor.page.on("response", (response) => {
        isUpdated ||= response.url().endsWith("/session") && response.request().method() === "POST"
      })
      await pressUntil(visitor.page, "#client-rename", () => isUpdated)
      await visitor.page.goto(`${site.origin}/account`)
      await shows(visitor.page, "name", "Client")
      expect(visitor.complaints).toEqual([])
    },
  }),
  behavior({
    id: "client.sign-out",
    title: "`signOut` of the client ends the session",
    needs: "client",
    env: environments.database,
    async run(site, visit) {
      const visitor = await visit()
      await visitor.page.goto(`${site.origin}/sign-in?callbackUrl=/client`)
      await enterPassword(visitor.page)
      await shows(visitor.page, "client-user", "ada@users.test")
      await pressUntil(visitor.page, "#client-sign-out", async () => (await session(visitor.page, site)) === null)
      expect(visitor.complaints).toEqual([])
    },
  }),
  behavior({
    id: "client.store",
    title: "while the database is down, reads and updates of the client keep the session",
    needs: "client",
    env: environments.database,
    async run(site, visit) {
      const { page, complaints } = await visit()
      await page.goto(`${site.origin}/sign-in?callbackUrl=/client`)
      await enterPassword(page)
      await shows(page, "client-user", "ada@users.test")
      const failures = () => complaints.filter((text) => text.includes("ClientFetchError")).length
      await site.setStoreDown(true)
      try {
        await pressUntil(page, "#client-rename", () => failures() > 0)
        const updates = failures()
        await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`)
        await expect.poll(failures).toBeGreaterThan(updates)
        await shows(page, "client-user", "ada@users.test")
      } finally {
        await site.setStoreDown(false)
      }
    },
  }),
  behavior({
    id: "client.tabs",
    title: "a sign-out in another tab reaches `useSession`",
    needs: "client",
    async run(site, visit) {
      const visitor = await visit()
      await signedInAt(site, visitor, "/client")
      await shows(visitor.page, "client-user", "ada@users.test")
      const other = await visitor.page.context().newPage()
      await other.goto(`${site.origin}/client`)
      await shows(other, "client-user", "ada@users.test")
      await pressUntil(other, "#client-sign-out", async () => (await session(other, site)) === null)
      await visitor.page.locator("#client-user").filter({ hasText: "ada@users.test" }).waitFor({ state: "detached" })
      expect(visitor.complaints).toEqual([])
    },
  }),
]

/** Until the script of a page runs, its buttons do nothing. Then one press is enough. */
async function pressUntil(page: Page, button: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const press = async () => {
    if (await isDone()) return true
    const pressed = page.locator(button).click({ timeout: 2000 })
    await pressed.catch(() => undefined)
    return isDone()
  }
  await expect.poll(press, { interval: 1500, timeout: 60_000 }).toBe(true)
}

async function session(page: Page, site: Site): Promise<unknown> {
  const response = await page.request.get(`${site.origin}${site.basePath}/session`)
  return response.json()
}
