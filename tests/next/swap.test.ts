import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { secret } from "./application.js"
import { build, type Built, remove } from "./build.js"
import { freePort, serve, type Site } from "./serve.js"

/** An application that was written for `next-auth`, with that package and with ours under its name. */
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
  }, 300_000)

  afterAll(async () => {
    await site?.stop()
    await Promise.all([...built.values()].map(async ({ folder }) => remove(folder)))
  })

  /** Takes the place of the one that runs, at the same address. */
  const deploy = async (name: Package): Promise<string> => {
    const chosen = built.get(name)
    if (chosen === undefined) throw new Error(`Nothing was built with ${name}`)
    await site?.stop()
    site = await serve(chosen, { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }, port)
    return site.origin
  }

  const ada = { name: "ada", email: "ada@people.test", role: "admin" }

  const expectSignedIn = async (page: Page, origin: string, user: typeof ada): Promise<void> => {
    for (const path of ["/", "/client"]) {
      await page.goto(origin + path)
      expect(JSON.parse(await page.locator("#who").innerText()), path).toEqual(user)
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
    test("who is signed in stays so, for pages, the middleware, the client and `getToken`; and there and back again", async () => {
      const before = await deploy(from)
      const { page } = await visit()
      await page.goto(before)
      await page.getByLabel("Username").fill("ada")
      await page.getByLabel("Password").fill("open sesame")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.locator("#who").waitFor()
      await expectSignedIn(page, before, ada)
      const after = await deploy(to)
      expect(after).toBe(before)
      await expectSignedIn(page, after, ada)
      await deploy(from)
      await expectSignedIn(page, after, ada)
    })
  })

  test.each(packages)("with %s one signs in and out with the functions of the client", async (name) => {
    const origin = await deploy(name)
    const { page } = await visit()
    await page.goto(`${origin}/private/`)
    expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    await page.goto(`${origin}/client`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator("#who").waitFor()
    await expectSignedIn(page, origin, { name: "grace", email: "grace@people.test", role: "admin" })
    await page.goto(`${origin}/client`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign in" }).waitFor()
    await page.goto(origin)
    await page.getByLabel("Username").waitFor()
  })
})
