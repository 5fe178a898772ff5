import type { Page } from "playwright-core"
import { expect } from "vitest"
import { addAuthenticator } from "./authenticator.js"

interface Example {
  readonly origin: string
  /** What the paths of pages end with. */
  readonly slash: "" | "/"
}

const ada = { email: "ada@harbor.example", password: "bernoulli" }

/** Signs in each way on the sign-in page of docs/custom-sign-in-page.md, past the errors that it shows. */
export async function signInEachWay(page: Page, { origin, slash }: Example): Promise<void> {
  const account = `${origin}/account${slash}`
  const open = async () =>
    page.goto(`${origin}/login${slash}?callbackUrl=/account${slash}`, { waitUntil: "networkidle" })
  const formWith = (button: string) => page.locator("form", { has: page.getByRole("button", { name: button }) })
  const press = async (button: string) => page.getByRole("button", { name: button, exact: true }).click()
  const isRefused = async (button: string) => formWith(button).getByRole("alert").filter({ hasText: /\w/ }).waitFor()
  const signOut = async () => {
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(`${origin}/`)
    await open()
  }

  await addAuthenticator(page)
  await open()
  await press("Use a passkey")
  await isRefused("Use a passkey")

  const password = page.locator("form", { has: page.getByLabel("Password") })
  await password.getByLabel("Email").fill(ada.email)
  await password.getByLabel("Password").fill("babbage")
  await password.getByRole("button").click()
  await password.getByRole("alert").filter({ hasText: /\w/ }).waitFor()
  expect(await password.getByLabel("Email").inputValue()).toBe(ada.email)
  await password.getByLabel("Password").fill(ada.password)
  await password.getByRole("button").click()
  await page.waitForURL(account)

  const added = page.waitForResponse((response) => response.url().endsWith("/callback/passkey"))
  await press("Add a passkey")
  expect((await added).status()).toBe(200)
  await signOut()
  await press("Use a passkey")
  await page.waitForURL(account)

  await signOut()
  await formWith("Email me a link").getByLabel("Email").fill("alan@elsewhere.example")
  await press("Email me a link")
  await page.getByRole("status").filter({ hasText: "alan@elsewhere.example" }).waitFor()
  await page.getByLabel("Code").fill("0")
  await press("Use the code")
  await isRefused("Use the code")
  const link = page.getByRole("listitem").filter({ hasText: "alan@elsewhere.example" }).getByRole("link")
  // The response doesn't wait for the email.
  const messages = async () => {
    await page.goto(`${origin}/outbox${slash}`)
    return link.count()
  }
  await expect.poll(messages).toBe(1)
  await link.click()
  await page.waitForURL(account)

  await signOut()
  await press("Continue with OpenID")
  await page
    .getByRole("button", { name: /Grace|Linus/ })
    .first()
    .click()
  await page.waitForURL(account)
}
