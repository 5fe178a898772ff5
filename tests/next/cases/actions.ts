import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application, Extent } from "../application.js"

export function serverActions(app: Application, visit: Visit, extent: Extent): void {
  describe.each(extent === "all" ? [true, false] : [true])(
    "server actions, with JavaScript: %s",
    (javaScriptEnabled) => {
      const open = async (env = {}): Promise<{ page: Page; origin: string }> => {
        const { origin } = await app.served(env)
        const { page } = await visit({ javaScriptEnabled })
        await page.goto(`${origin}/actions`)
        return { page, origin }
      }
      /** Submits a form and returns the result it shows. */
      const submit = async (page: Page, name: string): Promise<unknown> => {
        await page.getByRole("button", { name, exact: true }).click()
        const form = page.locator("form", { has: page.getByRole("button", { name, exact: true }) })
        await form.locator("output").filter({ hasText: /./ }).waitFor()
        return JSON.parse(await form.locator("output").innerText())
      }

      test("with `redirect: false`, `signIn` and `signOut` return the URL, and `auth` returns the new session in the same action", async () => {
        const { page, origin } = await open()
        expect(await submit(page, "Show user")).toBeNull()
        expect(await submit(page, "Sign in without redirect")).toEqual({ to: `${origin}/private`, now: "ada" })
        expect(page.url()).toBe(`${origin}/actions`)
        await page.goto(`${origin}/actions`)
        expect(await page.locator("#layout").innerText()).toBe("ada")
        expect(await submit(page, "Sign out without redirect")).toEqual({ to: `${origin}/plain`, now: null })
        await page.goto(`${origin}/actions`)
        expect(await page.locator("#layout").innerText()).toBe("visitor")
      })

      test("a form can set `redirect` to a string", async () => {
        const { page, origin } = await open()
        expect(await submit(page, "Sign in with a form")).toEqual({ to: `${origin}/private` })
      })

      test("without a provider, or with an unknown one, `signIn` returns the sign-in page", async () => {
        const { page, origin } = await open()
        const to = `${origin}/api/auth/signin?callbackUrl=${encodeURIComponent("/private")}`
        const { missing, unknown, op } = (await submit(page, "Sign in to a page")) as Record<string, string>
        for (const url of [missing, unknown]) expect(absolute(url, origin)).toBe(absolute(to, origin))
        expect(op).toBe("ada")
      })

      test("`update` reaches the middleware, Server Components and handlers, and persists", async () => {
        const { page, origin } = await open()
        await submit(page, "Sign in without redirect")
        await page.goto(`${origin}/actions`)
        expect(await submit(page, "Set red")).toMatchObject({ color: "red" })
        for (const path of ["/actions", "/private", "/plain", "/api/session", "/props", "/handler/1"]) {
          await page.goto(origin + path)
          expect(await page.locator("body").innerText(), path).toContain('"color":"red"')
        }
      })
    },
  )
}

function absolute(url: string | undefined, origin: string): string {
  const { pathname, searchParams } = new URL(url ?? "", origin)
  return `${pathname} ${new URL(searchParams.get("callbackUrl") ?? "", origin).href}`
}
