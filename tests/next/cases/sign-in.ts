import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application, Extent } from "../application.js"

type Env = Readonly<Record<string, string>>

/** A way to sign in on the open sign-in page. */
interface Method {
  readonly name: string
  /** The user's email in the session. */
  readonly email: RegExp
  run(page: Page, app: Application): Promise<void>
}

const methods: readonly Method[] = [
  {
    name: "an email link",
    email: /grace@users\.test/,
    async run(page, app) {
      const before = app.services.links.length
      await page.getByLabel("Email").fill("grace@users.test")
      await page.getByRole("button", { name: "Email me a link" }).click()
      await followLink(page, app, before)
    },
  },
  {
    name: "a provider",
    email: /linus@example\.test/,
    async run(page) {
      await page.getByRole("button", { name: "Sign in with Acme" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
    },
  },
]

interface Variant {
  readonly title: string
  readonly env: Env
  readonly javaScriptEnabled: boolean
}

const variants: readonly Variant[] = [
  {
    title: "a custom page",
    env: { SIGN_IN_PAGE: "/login", STRATEGY: "database" },
    javaScriptEnabled: true,
  },
  {
    title: "a custom page without JavaScript",
    env: { SIGN_IN_PAGE: "/login" },
    javaScriptEnabled: false,
  },
]

/** From a protected page to the sign-in page of the application and back, in Chromium. The shared suite has a password. */
export function signingIn(app: Application, visit: Visit, extent: Extent): void {
  const chosen = extent === "all" ? variants : variants.filter(({ env }) => env["STRATEGY"] === undefined)
  describe.each(chosen)("on $title", ({ env, javaScriptEnabled }) => {
    test.each(methods)("$name signs in and returns to the protected page", async ({ run, email }) => {
      const { origin } = await app.served(env)
      const { page } = await visit({ javaScriptEnabled })
      await page.goto(`${origin}/private?x=1`)
      expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe(`${origin}/private?x=1`)
      await run(page, app)
      await page.waitForURL(`${origin}/private?x=1`)
      expect(await page.locator("#session").innerText()).toMatch(email)
    })
  })

  describe.each(extent === "all" ? [true, false] : [false])("with JavaScript: %s", (javaScriptEnabled) => {
    test("a wrong password throws a typed error in the action", async () => {
      const { origin } = await app.served({ SIGN_IN_PAGE: "/login" })
      const { page } = await visit({ javaScriptEnabled })
      await page.goto(`${origin}/login?callbackUrl=/private`)
      await enterPassword(page, "wrong")
      const result = page.locator("main output").first()
      await result.filter({ hasText: "type" }).waitFor()
      expect(JSON.parse(await result.innerText())).toEqual({
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
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

async function followLink(page: Page, { services }: Application, before: number): Promise<void> {
  await expect.poll(() => services.links.length).toBeGreaterThan(before)
  await page.waitForURL(/verify-request/)
  await page.goto(services.links[before] ?? "")
  const confirm = page.getByRole("button")
  if (!page.url().includes("/private")) await confirm.first().click()
}
