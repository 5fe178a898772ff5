import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application, Extent } from "../application.js"

type Env = Readonly<Record<string, string>>

/** How a person signs in; the page for signing in is open. */
interface Method {
  readonly name: string
  /** What the application knows of them afterwards. */
  readonly address: RegExp
  run(page: Page, app: Application): Promise<void>
}

const builtIn: readonly Method[] = [
  {
    name: "a password",
    address: /ada@people\.test/,
    async run(page) {
      await page.getByLabel("Name").fill("ada")
      await page.getByLabel("Password").fill("open sesame")
      await page.getByRole("button", { name: "Sign in with Password" }).click()
    },
  },
  {
    name: "a link by mail",
    address: /grace@people\.test/,
    async run(page, app) {
      const before = app.outside.links.length
      await page.getByLabel(/e-?mail/i).fill("grace@people.test")
      await page.getByRole("button", { name: "Sign in with Mail" }).click()
      await followLink(page, app, before)
    },
  },
  {
    name: "a provider",
    address: /linus@example\.test/,
    async run(page) {
      await page.getByRole("button", { name: "Sign in with Acme" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
    },
  },
]

const own: readonly Method[] = [
  {
    name: "a password",
    address: /ada@people\.test/,
    async run(page) {
      await enterPassword(page, "open sesame")
    },
  },
  {
    name: "a link by mail",
    address: /grace@people\.test/,
    async run(page, app) {
      const before = app.outside.links.length
      await page.getByLabel("Address").fill("grace@people.test")
      await page.getByRole("button", { name: "Mail me" }).click()
      await followLink(page, app, before)
    },
  },
  {
    name: "a provider",
    address: /linus@example\.test/,
    async run(page) {
      await page.getByRole("button", { name: "Go to Acme" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
    },
  },
]

interface Way {
  readonly title: string
  readonly env: Env
  readonly scripts: boolean
  readonly methods: readonly Method[]
}

const ways: readonly Way[] = [
  { title: "the built-in page", env: {}, scripts: true, methods: builtIn },
  {
    title: "the built-in page without scripts, sessions in the database",
    env: { STRATEGY: "database" },
    scripts: false,
    methods: builtIn,
  },
  {
    title: "the application's own page",
    env: { SIGN_IN_PAGE: "/login", STRATEGY: "database" },
    scripts: true,
    methods: own,
  },
  {
    title: "the application's own page without scripts",
    env: { SIGN_IN_PAGE: "/login" },
    scripts: false,
    methods: own,
  },
]

/** From a protected page to the page for signing in and back, in Chromium. */
export function signingIn(app: Application, visit: Visit, extent: Extent): void {
  const chosen = extent === "whole" ? ways : ways.filter(({ env }) => env["STRATEGY"] === undefined)
  describe.each(chosen)("on $title", ({ env, scripts, methods }) => {
    test.each(methods)("one signs in with $name, and is back where one wanted to go", async ({ run, address }) => {
      const { origin } = await app.served(env)
      const { page } = await visit({ javaScriptEnabled: scripts })
      await page.goto(`${origin}/private?x=1`)
      expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe(`${origin}/private?x=1`)
      await run(page, app)
      await page.waitForURL(`${origin}/private?x=1`)
      expect(await page.locator("#who").innerText()).toMatch(address)
    })
  })

  describe.each(extent === "whole" ? [true, false] : [false])("with scripts: %s", (javaScriptEnabled) => {
    test("a wrong password is a typed error of the action, which its form shows", async () => {
      const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
      const { page } = await visit({ javaScriptEnabled })
      await page.goto(`${origin}/login?callbackUrl=/private`)
      await enterPassword(page, "wrong")
      const told = page.locator("main output").first()
      await told.filter({ hasText: "type" }).waitFor()
      expect(JSON.parse(await told.innerText())).toEqual({
        type: "CredentialsSignin",
        code: "credentials",
        isCredentialsSignin: true,
      })
      await enterPassword(page, "open sesame")
      await page.waitForURL(`${origin}/private`)
    })
  })
}

async function enterPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("Name").fill("ada")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Enter" }).click()
}

async function followLink(page: Page, { outside }: Application, before: number): Promise<void> {
  await expect.poll(() => outside.links.length).toBeGreaterThan(before)
  await page.waitForURL(/verify-request/)
  await page.goto(outside.links[before] ?? "")
  const confirm = page.getByRole("button")
  if (!page.url().includes("/private")) await confirm.first().click()
}
