import { createProvider } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { remove } from "../applications/install.js"
import { freePort, type Site } from "../applications/processes.js"
import { inChromium } from "../browser/chromium.js"
import { secret } from "./application.js"
import { build, type Built } from "./build.js"
import { serve } from "./serve.js"

/** An application with what large applications of next-auth 4 do, on version 4 and on the bridge. Only the alias differs. */
const libraries = { version4: "next-auth-4", bridge: "@latchkey/next-auth-4" } as const

type Library = keyof typeof libraries

/** The auth routes in each router, which NEXTAUTH_URL chooses. */
const routers = { pages: "/api/auth", app: "/app-auth" } as const

const ada = { name: "Ada", email: "ada@acme.test", id: "1", role: "member", via: "form" }

inChromium("an application with patterns of next-auth 4, with Next.js 16", (visit) => {
  const op = createProvider({ id: "acme", issParameter: false })
  const built = new Map<Library, Built>()
  let site: Site | undefined
  let port: number
  let close: () => Promise<void>

  beforeAll(async () => {
    port = await freePort()
    ;({ close } = await op.listen())
    // The package of version 4 is CommonJS.
    const files = { "package.json": '{ "private": true }\n' }
    for (const [library, name] of Object.entries(libraries) as [Library, string][])
      built.set(library, await build({ folder: "patterns-4", major: 16, files, alias: { "next-auth": name } }))
  }, 820_000)

  afterAll(async () => {
    await site?.stop()
    await close()
    await Promise.all([...built.values()].map(async ({ folder }) => remove(folder)))
  })

  describe.each(Object.keys(routers) as (keyof typeof routers)[])("in the %s router", (router) => {
    /** Replaces the running application at the same URL. */
    const deploy = async (library: Library): Promise<string> => {
      const chosen = built.get(library)
      if (chosen === undefined) throw new Error(`The application isn't built with ${library}`)
      await site?.stop()
      const origin = `http://localhost:${port}`
      const { clientId, clientSecret } = op.provider()
      const env = {
        NEXTAUTH_SECRET: secret,
        NEXTAUTH_URL: router === "pages" ? origin : origin + routers.app,
        ISSUER: op.issuer,
        CLIENT_ID: clientId ?? "",
        CLIENT_SECRET: clientSecret ?? "",
      }
      site = await serve(chosen, env, port)
      return origin
    }

    test("a password signs in with a form and with a script, and the page shows what `authorize` throws", async () => {
      const origin = await deploy("bridge")
      const { page } = await visit()
      await page.goto(`${origin}/dashboard`)
      expect(page.url()).toBe(`${origin}/auth/login?callbackUrl=%2Fdashboard`)
      expect(await page.locator("#providers").innerText()).toBe("credentials,acme")
      await fill(page, "#plain", "wrong")
      await page.waitForURL(`${origin}/auth/error?**`)
      expect(await page.locator("#error").innerText()).toBe("Wrong password for ada@acme.test & co: try again")
      await page.goto(`${origin}/auth/login`)
      await fill(page, "#scripted", "wrong")
      await page.getByText("401 Wrong password for ada@acme.test & co: try again").waitFor()
      await fill(page, "#scripted", "open sesame")
      await page.waitForURL(`${origin}/dashboard`)
      await expectUser(page, origin, { ...ada, via: "POST" })
    })

    test.each([
      ["bridge", "version4"],
      ["version4", "bridge"],
    ] as const)("a session of %s is one of %s too, until the user signs out at either", async (first, second) => {
      const origin = await deploy(first)
      const { page } = await visit()
      // Version 4 sets the cookie of the token after the first page.
      await page.goto(`${origin}/auth/login`)
      await page.goto(`${origin}${routers[router]}/signin?callbackUrl=/dashboard`)
      await fill(page, "#plain", "open sesame")
      await page.waitForURL(`${origin}/dashboard`)
      await expectUser(page, origin, ada)
      const names = (await page.context().cookies()).map(({ name }) => name)
      expect(names.filter((name) => name.includes("session"))).toEqual(["acme.session-token"])
      await deploy(second)
      await expectUser(page, origin, ada)
      await page.goto(`${origin}/profile`)
      await page.getByRole("button", { name: "Rename" }).click()
      await page.getByText("Ada L.").waitFor()
      await deploy(first)
      await expectUser(page, origin, { ...ada, name: "Ada L." })
      await page.goto(`${origin}/auth/logout`)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.waitForURL(`${origin}/auth/login`)
      await deploy(second)
      await expectNoUser(page, origin)
    })

    test("a user of a provider signs in, and one who is blocked doesn't", async () => {
      const origin = await deploy("bridge")
      const { page } = await visit()
      await page.goto(`${origin}/auth/login?callbackUrl=/admin`)
      await page.locator("#acme").click()
      const consent = page.locator('button[value="ada"]')
      await consent.waitFor()
      expect(new URL(page.url()).searchParams.get("prompt")).toBe("login")
      await consent.click()
      await page.waitForURL(`${origin}/admin`)
      expect(await page.locator("#user").innerText()).toBe("the admin page")
      await deploy("version4")
      await page.goto(`${origin}/dashboard`)
      expect(JSON.parse(await page.locator("#user").innerText())).toMatchObject({ role: "admin", via: "acme" })
      const { page: other } = await visit()
      await deploy("bridge")
      await other.goto(`${origin}/auth/login`)
      await fill(other, "#plain", "open sesame", "eve@acme.test")
      await other.waitForURL(`${origin}/auth/error?error=blocked`)
      await expectNoUser(other, origin)
    })
  })

  async function fill(page: Page, form: string, password: string, email = ada.email): Promise<void> {
    await page.locator(form).getByLabel("Email").fill(email)
    await page.locator(form).getByLabel("Password").fill(password)
    await page.locator(`${form} button`).click()
  }

  async function textOf(page: Page, url: string): Promise<string> {
    await page.goto(url)
    return page.locator("#user").or(page.locator("pre")).innerText()
  }

  /** The user in the client, both routers, a tRPC procedure, and middleware in its forms. */
  async function expectUser(page: Page, origin: string, user: typeof ada): Promise<void> {
    const own = { ...user, tenant: "default" }
    expect(JSON.parse(await textOf(page, `${origin}/dashboard`))).toEqual(own)
    await page.setExtraHTTPHeaders({ "x-tenant": "acme" })
    expect(JSON.parse(await textOf(page, `${origin}/dashboard`))).toEqual({ ...own, tenant: "acme" })
    expect(JSON.parse(await textOf(page, `${origin}/profile`))).toEqual({ ...own, tenant: "acme" })
    await page.setExtraHTTPHeaders({})
    expect(JSON.parse(await textOf(page, `${origin}/server`))).toEqual({ ...user, sub: user.id })
    expect(JSON.parse(await textOf(page, `${origin}/api/trpc/me`))).toEqual({ result: user })
    expect(JSON.parse(await textOf(page, `${origin}/token`))).toEqual({ sub: user.id, role: user.role })
    expect(await textOf(page, `${origin}/admin`)).toBe("denied")
  }

  async function expectNoUser(page: Page, origin: string): Promise<void> {
    expect(await textOf(page, `${origin}/server`)).toBe("null")
    expect(JSON.parse(await textOf(page, `${origin}/api/trpc/me`))).toEqual({ error: "UNAUTHORIZED" })
    expect(JSON.parse(await textOf(page, `${origin}/api/trpc/hello`))).toEqual({ result: "hello" })
    expect(await textOf(page, `${origin}/token`)).toBe("null")
    for (const path of ["/admin", "/reports/1?a=b"]) {
      await page.goto(origin + path)
      expect(page.url()).toBe(`${origin}/auth/login?callbackUrl=${encodeURIComponent(path)}`)
    }
  }
})
