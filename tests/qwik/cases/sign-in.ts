import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application } from "../application.js"

/** A way to sign in on the application's sign-in page, which needs the script of Qwik. */
interface Method {
  readonly name: string
  /** The user's email. */
  readonly email: string
  run(page: Page, app: Application): Promise<void>
}

const methods: readonly Method[] = [
  {
    name: "an email link",
    email: "grace@users.test",
    async run(page, { services }) {
      const before = services.links.length
      await page.getByLabel("Email").fill("grace@users.test")
      await page.getByRole("button", { name: "Email me a link" }).click()
      await page.waitForURL(/verify-request/)
      await page.goto(services.links[before] ?? "")
      const confirm = page.getByRole("button")
      if (!page.url().includes("/private")) await confirm.first().click()
    },
  },
  {
    name: "a provider",
    email: "linus@example.test",
    async run(page) {
      await page.getByRole("button", { name: "Sign in with Acme" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
    },
  },
  {
    name: "a password that a script submits",
    email: "ada@users.test",
    run: async (page) => page.getByRole("button", { name: "Ada by script" }).click(),
  },
  {
    name: "a provider that a script chooses",
    email: "linus@example.test",
    async run(page) {
      await page.getByRole("button", { name: "Acme by script" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
    },
  },
]

/** From a protected page to the application's sign-in page and back, in Chromium. The shared suite has a password. */
export function signingIn(app: Application, visit: Visit): void {
  test.each(methods)("$name signs in, returns to the protected page, and signing out ends it", async (method) => {
    const { origin } = await app.served({ SIGN_IN_PAGE: "/login/" })
    const { page } = await visit()
    await page.goto(`${origin}/private/?x=1`)
    expect(page.url()).toBe(`${origin}/login/?callbackUrl=%2Fprivate%2F%3Fx%3D1`)
    await method.run(page, app)
    await page.waitForURL(`${origin}/private/?x=1`)
    await shows(page, "#private", method.email)
    await shows(page, "#user", method.email)
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.waitForURL(`${origin}/?left`)
    await shows(page, "#user", "signed out")
  })
}

export async function shows(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).waitFor()
}

export async function enterPassword(page: Page, password: string, name = "ada"): Promise<void> {
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}
