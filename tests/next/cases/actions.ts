import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application, Extent } from "../application.js"

export function serverActions(app: Application, visit: Visit, extent: Extent): void {
  describe.each(extent === "whole" ? [true, false] : [true])(
    "server actions, with scripts: %s",
    (javaScriptEnabled) => {
      const open = async (env = {}): Promise<{ page: Page; origin: string }> => {
        const { origin } = await app.served(env)
        const { page } = await visit({ javaScriptEnabled })
        await page.goto(`${origin}/actions`)
        return { page, origin }
      }
      /** Presses the button, and waits for what its form shows. */
      const told = async (page: Page, name: string): Promise<unknown> => {
        await page.getByRole("button", { name, exact: true }).click()
        const form = page.locator("form", { has: page.getByRole("button", { name, exact: true }) })
        await form.locator("output").filter({ hasText: /./ }).waitFor()
        return JSON.parse(await form.locator("output").innerText())
      }

      test("`signIn` leads where it was told, and `signOut` as well", async () => {
        const { page, origin } = await open()
        await page.getByRole("button", { name: "Enter", exact: true }).click()
        await page.waitForURL(`${origin}/private?x=1`)
        expect(await page.locator("#who").innerText()).toContain("id-ada")
        await page.goto(`${origin}/actions`)
        expect(await told(page, "Who acts?")).toMatchObject({ name: "ada" })
        await page.getByRole("button", { name: "Leave", exact: true }).click()
        await page.waitForURL(`${origin}/?left`)
        expect(await page.locator("#page").innerText()).toBe("nobody")
      })

      test("with `redirect: false` they return the address, and `auth` knows the new state at once", async () => {
        const { page, origin } = await open()
        expect(await told(page, "Who acts?")).toBeNull()
        expect(await told(page, "Enter quietly")).toEqual({ to: `${origin}/private`, now: "ada" })
        expect(page.url()).toBe(`${origin}/actions`)
        await page.goto(`${origin}/actions`)
        expect(await page.locator("#layout").innerText()).toBe("ada")
        expect(await told(page, "Leave quietly")).toEqual({ to: `${origin}/plain`, now: null })
        await page.goto(`${origin}/actions`)
        expect(await page.locator("#layout").innerText()).toBe("nobody")
      })

      test("a form may say `redirect` with a text", async () => {
        const { page, origin } = await open()
        expect(await told(page, "Enter quietly by form")).toEqual({ to: `${origin}/private` })
      })

      test("without a provider, or with one that is not configured, the sign-in page is the address", async () => {
        const { page, origin } = await open()
        const to = `${origin}/api/auth/signin?callbackUrl=${encodeURIComponent("/private")}`
        const { unnamed, unknown, op } = (await told(page, "Enter nowhere")) as Record<string, string>
        for (const url of [unnamed, unknown]) expect(absolute(url, origin)).toBe(absolute(to, origin))
        expect(op).toBe("ada")
      })

      test("`update` reaches the middleware, server components and handlers, and stays", async () => {
        const { page, origin } = await open()
        await told(page, "Enter quietly")
        await page.goto(`${origin}/actions`)
        expect(await told(page, "Paint it red")).toMatchObject({ color: "red" })
        for (const path of ["/actions", "/private", "/plain", "/api/who", "/props", "/handler/1"]) {
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
