import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { addAuthenticator } from "../browser/authenticator.js"
import { inChromium } from "../browser/chromium.js"
import { password } from "./steps.js"
import type { Served } from "./suite.js"

const env = { SIGN_IN_PAGE: "/login" }

/** The sign-in page of docs/custom-sign-in-page.md, which posts to the auth routes. */
export function ownSignInPage(served: Served): void {
  inChromium("the sign-in page of the guide", (visit) => {
    test("shows a wrong password beside the field, and signs in with the right one", async () => {
      const { origin } = await served(env)
      const { page } = await visit()
      await openPage(page, origin)
      await enterPassword(page, "wrong")
      await page.locator("form", { hasText: "Password" }).getByRole("alert").filter({ hasText: /\w/ }).waitFor()
      expect(page.url()).toBe(`${origin}/login?callbackUrl=/account`)
      await enterPassword(page, password)
      await shows(page, "ada@users.test")
    })

    test("signs in with a password without JavaScript, past a wrong one", async () => {
      const { origin } = await served(env)
      const { page } = await visit({ javaScriptEnabled: false })
      await page.goto(`${origin}/login?callbackUrl=/account`)
      await enterPassword(page, "wrong")
      await page.waitForURL(/\/login\?.*error=CredentialsSignin/)
      await page.locator(".error").filter({ hasText: /\w/ }).waitFor()
      await enterPassword(page, password)
      await shows(page, "ada@users.test")
    })

    test("signs in with the code of an email", async () => {
      const { origin, services } = await served(env)
      const { page } = await visit()
      await openPage(page, origin)
      const form = page.locator("form", {
        has: page.getByLabel("Email", { exact: true }),
        hasNot: page.getByLabel("Password"),
      })
      const sent = services.codes.length
      await form.getByLabel("Email").fill("mary@users.test")
      await form.getByRole("button").click()
      await page.getByLabel("Code").fill("0")
      await page.getByRole("button", { name: "Use the code" }).click()
      await page.locator("form", { hasText: "Code" }).getByRole("alert").filter({ hasText: /\w/ }).waitFor()
      // The response doesn't wait for the email.
      await expect.poll(() => services.codes.length).toBe(sent + 1)
      await page.getByLabel("Code").fill(services.codes.at(-1) ?? "")
      await page.getByRole("button", { name: "Use the code" }).click()
      await shows(page, "mary@users.test")
    })

    test("signs in with a passkey, and says if there is none", async () => {
      const { origin, basePath } = await served(env)
      const { page } = await visit()
      await addAuthenticator(page)
      await page.goto(`${origin}/login?callbackUrl=/account`)
      const form = page.locator("form", { has: page.getByRole("button", { name: /passkey/i }) })
      await form.getByRole("button").click()
      await form.getByRole("alert").filter({ hasText: /\w/ }).waitFor()
      await createPasskey(page, basePath, "grace@users.test")
      await page.context().clearCookies()
      await openPage(page, origin)
      await form.getByRole("button").click()
      await shows(page, "grace@users.test")
    })

    test("signs in at a provider", async () => {
      const { origin } = await served(env)
      const { page } = await visit()
      await openPage(page, origin)
      await page.getByRole("button", { name: "Acme" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
      await shows(page, "linus@example.test")
    })
  })
}

/** Without waiting, a form could be submitted before its script runs. */
async function openPage(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login?callbackUrl=/account`, { waitUntil: "networkidle" })
}

async function enterPassword(page: Page, given: string): Promise<void> {
  const form = page.locator("form", { has: page.getByLabel("Password") })
  await form.getByLabel("Email").fill("ada@users.test")
  await form.getByLabel("Password").fill(given)
  await form.getByRole("button").click()
}

async function shows(page: Page, email: string): Promise<void> {
  await page.waitForURL(/\/account\/?$/)
  await page.locator("#account").filter({ hasText: email }).waitFor()
}

/** Signs a new user up with a passkey, without any page: through the JSON of the auth routes. */
async function createPasskey(page: Page, basePath: string, email: string): Promise<void> {
  await page.evaluate(`(async () => {
    const accept = { accept: "application/json" }
    const get = async (path) => (await fetch(${JSON.stringify(basePath)} + path, { headers: accept })).json()
    const email = ${JSON.stringify(email)}
    const { options } = await get("/webauthn-options/passkey?action=register&email=" + encodeURIComponent(email))
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const data = JSON.stringify(await navigator.credentials.create({ publicKey }))
    const { csrfToken } = await get("/csrf")
    const body = new URLSearchParams({ csrfToken, email, action: "register", data })
    const answer = await fetch(${JSON.stringify(basePath)} + "/callback/passkey", { method: "POST", headers: accept, body })
    const step = await answer.json()
    if (step.status !== "signed-in") throw new Error(JSON.stringify(step))
  })()`)
}
