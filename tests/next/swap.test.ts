import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { secret } from "./application.js"
import { build, type Built, remove } from "./build.js"
import { freePort, serve, type Site } from "./serve.js"

/** An application written for `next-auth`, built with that package and with `@latchkey/next` under its name. */
const packages = ["next-auth", "@latchkey/next"] as const

type Package = (typeof packages)[number]

inChromium("an application written for next-auth", (visit) => {
  const built = new Map<Package, Built>()
  let port: number
  let site: Site | undefined

  beforeAll(async () => {
    port = await freePort()
    for (const name of packages) {
      built.set(name, await build({ folder: "swap", major: 16, alias: { "next-auth": name } }))
    }
  }, 820_000)

  afterAll(async () => {
    await site?.stop()
    await Promise.all([...built.values()].map(async ({ folder }) => remove(folder)))
  })

  /** Replaces the running application at the same URL. */
  const deploy = async (name: Package): Promise<string> => {
    const chosen = built.get(name)
    if (chosen === undefined) throw new Error(`There is no build with ${name}`)
    await site?.stop()
    site = await serve(chosen, { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }, port)
    return site.origin
  }

  const ada = { name: "ada", email: "ada@users.test", role: "admin" }

  const expectSignedIn = async (page: Page, origin: string, user: typeof ada): Promise<void> => {
    for (const path of ["/", "/client"]) {
      await page.goto(origin + path)
      expect(JSON.parse(await page.locator("#user").innerText()), path).toEqual(user)
    }
    await page.goto(`${origin}/private/`)
    expect(await page.locator("body").innerText()).toBe("the private page")
    await page.goto(`${origin}/token`)
    expect(JSON.parse(await page.locator("body").innerText())).toEqual({ sub: "1", name: user.name, role: user.role })
  }

  describe.each([
    { from: packages[0], to: packages[1] },
    { from: packages[1], to: packages[0] },
  ])("from $from to $to", ({ from, to }) => {
    test("a user stays signed in for pages, the middleware, the client and `getToken`, also after rolling back", async () => {
      const before = await deploy(from)
      const { page } = await visit()
      await page.goto(before)
      await page.getByLabel("Username").fill("ada")
      await page.getByLabel("Password").fill("open sesame")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.locator("#user").waitFor()
      await expectSignedIn(page, before, ada)
      const after = await deploy(to)
      expect(after).toBe(before)
      await expectSignedIn(page, after, ada)
      await deploy(from)
      await expectSignedIn(page, after, ada)
    })
  })

  test.each(packages)("with %s, the client signs in and out", async (name) => {
    const origin = await deploy(name)
    const { page } = await visit()
    await page.goto(`${origin}/private/`)
    expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    await page.goto(`${origin}/client`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator("#user").waitFor()
    await expectSignedIn(page, origin, { name: "grace", email: "grace@users.test", role: "admin" })
    await page.goto(`${origin}/client`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign in" }).waitFor()
    await page.goto(origin)
    await page.getByLabel("Username").waitFor()
  })
})
