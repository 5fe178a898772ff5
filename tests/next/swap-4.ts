import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { secret } from "./application.js"
import { remove } from "../applications/install.js"
import { freePort, type Site } from "../applications/processes.js"
import { build, type Built, here, type Major } from "./build.js"
import { serve } from "./serve.js"

/** An application written for next-auth 4, before and after it was migrated to `@latchkey/next`. */
const variants = { before: "next-auth-4", after: "@latchkey/next" } as const

type Variant = keyof typeof variants

/** The files that a migration changes, by path. */
function filesOf(variant: Variant): Record<string, string> {
  const folder = here(`swap-4/${variant}`)
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"))
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]))
}

const ada = { name: "ada", email: "ada@users.test", role: "admin" }
/** Her session needs several cookies. */
const grace = { ...ada, name: "grace" }

export function upgradeFromVersion4(major: Major): void {
  inChromium(`an application written for next-auth 4, with Next.js ${major}`, (visit) => {
    const built = new Map<Variant, Built>()
    let port: number
    let site: Site | undefined

    beforeAll(async () => {
      port = await freePort()
      for (const variant of ["before", "after"] as const) {
        // The package of version 4 is CommonJS, and such applications have no `"type": "module"`.
        const files = { "package.json": '{ "private": true }\n', ...filesOf(variant) }
        const alias = { "next-auth": variants[variant] }
        built.set(variant, await build({ folder: "swap-4/common", major, files, alias }))
      }
    }, 820_000)

    afterAll(async () => {
      await site?.stop()
      await Promise.all([...built.values()].map(async ({ folder }) => remove(folder)))
    })

    /** Replaces the running application at the same URL, with the environment that version 4 had. */
    const deploy = async (variant: Variant, env: Readonly<Record<string, string>> = {}): Promise<string> => {
      const chosen = built.get(variant)
      if (chosen === undefined) throw new Error(`The application ${variant} the migration isn't built`)
      await site?.stop()
      const origin = `http://localhost:${port}`
      site = await serve(chosen, { NEXTAUTH_SECRET: secret, NEXTAUTH_URL: origin, ...env }, port)
      return origin
    }

    /** The user in the client, the Pages Router, the App Router, an API Route, the middleware and `getToken`. */
    const expectUser = async (page: Page, origin: string, user: typeof ada): Promise<void> => {
      for (const path of ["/props", "/app", "/"]) {
        await page.goto(origin + path)
        expect(JSON.parse(await page.locator("#user").innerText()), path).toEqual(user)
      }
      await page.goto(`${origin}/private`)
      expect(await page.locator("#user").innerText()).toBe("the private page")
      await page.goto(`${origin}/api/me`)
      expect(JSON.parse(await page.locator("body").innerText())).toEqual(user)
      await page.goto(`${origin}/token`)
      expect(JSON.parse(await page.locator("body").innerText())).toEqual({ sub: "1", name: user.name, role: user.role })
    }

    const expectNoUser = async (page: Page, origin: string): Promise<void> => {
      await page.goto(origin)
      await page.getByRole("button", { name: "Sign in" }).waitFor()
      await page.goto(`${origin}/app`)
      expect(await page.locator("#user").innerText()).toBe("null")
      await page.goto(`${origin}/private`)
      expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    }

    const signIn = async (page: Page, origin: string, name: string): Promise<void> => {
      await page.goto(origin)
      await page.getByLabel("Username").fill(name)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.locator("#user").waitFor()
    }

    const signOut = async (page: Page, origin: string): Promise<void> => {
      await page.goto(origin)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Sign in" }).waitFor()
    }

    const sessionCookies = async (context: BrowserContext): Promise<string[]> =>
      (await context.cookies()).map(({ name }) => name).filter((name) => name.includes("session-token"))

    test("a user stays signed in everywhere, also after a rollback, until signing out", async () => {
      const { page } = await visit()
      await signIn(page, await deploy("before"), "ada")
      await expectUser(page, await deploy("before"), ada)
      await expectUser(page, await deploy("after"), ada)
      expect((await sessionCookies(page.context())).toSorted()).toEqual([
        "authjs.session-token",
        "next-auth.session-token",
      ])
      await expectUser(page, await deploy("before"), ada)
      await signOut(page, await deploy("after"))
      expect(await sessionCookies(page.context())).toEqual([])
      await expectNoUser(page, await deploy("before"))
    })

    test("a user with a session in several cookies stays signed in", async () => {
      const { page } = await visit()
      await signIn(page, await deploy("before"), "grace")
      expect(await sessionCookies(page.context())).toHaveLength(2)
      await expectUser(page, await deploy("after"), grace)
      await signOut(page, await deploy("after"))
      expect(await sessionCookies(page.context())).toEqual([])
    })

    test("with shared sessions, a sign-in and a sign-out at either count for both", async () => {
      const shared = { SHARE: "true" }
      const { page } = await visit()
      await signIn(page, await deploy("after", shared), "grace")
      await expectUser(page, await deploy("before"), grace)
      await expectUser(page, await deploy("after", shared), grace)
      await signOut(page, await deploy("before"))
      await expectNoUser(page, await deploy("after", shared))
    })
  })
}
