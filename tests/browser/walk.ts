import type { Page } from "playwright-core"
import { expect } from "vitest"
import { oneTimeCode } from "../../packages/testing/src/index.js"

/** An application with a password, a second factor, a dashboard with berths and a mailbox. */
export interface Saas {
  readonly origin: string
  /** Path of the auth routes. */
  readonly basePath: string
}

const [first, second] = ["tuba gravel oyster ninety", "violin meadow copper thirty"]

/** From the home page to a password that was reset, as a user does it. It also works without JavaScript. */
export async function walkThrough(page: Page, { origin, basePath }: Saas, email: string): Promise<void> {
  const at = (path: string) => origin + path
  const press = async (name: string | RegExp) => page.getByRole("button", { name }).click()
  const isAt = async (path: string) => page.waitForURL(at(path))
  const api = async () => page.request.get(at("/api/berths"))
  const passwordForm = () => page.locator("form", { has: page.locator("[type=password]") })

  async function openMail(subject: RegExp): Promise<void> {
    const mail = page.getByRole("listitem").filter({ hasText: email }).filter({ hasText: subject }).first()
    const arrived = async () => {
      await page.goto(at("/mailbox"))
      return mail.count()
    }
    // The response doesn't wait for the email.
    await expect.poll(arrived).toBe(1)
    await mail.getByRole("link", { name: "Open link" }).click()
  }

  /** Of the forms on the sign-in page, the one that was used last is open. */
  async function openPasswordForm(): Promise<void> {
    const summary = page.locator("summary", { hasText: "password" })
    if (!(await passwordForm().isVisible())) await summary.click()
  }

  async function enterPassword(password: string): Promise<void> {
    await openPasswordForm()
    await passwordForm().locator("[type=email]").fill(email)
    await passwordForm().locator("[type=password]").fill(password)
    await passwordForm().locator("button[type=submit]").click()
  }

  async function signOut(): Promise<void> {
    await page.goto(at("/"))
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor()
  }

  /** The page that asks. Until it's answered, no user is signed in. */
  async function answer(code: string, trust = false): Promise<void> {
    await isAt(`${basePath}/factor`)
    expect((await api()).status()).toBe(401)
    await page.getByLabel("Code").fill(code)
    if (trust) await page.getByLabel("Don't ask on this device").check()
    await press("Continue")
  }

  // Password managers find the page that changes the password.
  const change = await page.request.get(at("/.well-known/change-password"), { maxRedirects: 0 })
  expect(change.headers()["location"]).toBe(`${basePath}/password/change`)

  // Sign up.
  await page.goto(at("/"))
  await page.getByRole("link", { name: "Create an account" }).click()
  await enterPassword(first)
  await page.getByText(email).waitFor()
  const refused = await api()
  expect([refused.status(), await refused.json()]).toEqual([401, expect.any(Object)])
  await openMail(/Create your account/)
  await press("Create account")
  await page.waitForURL((url) => !url.pathname.startsWith(`${basePath}/password`))
  await page.goto(at("/dashboard"))
  expect(await page.locator("#user").innerText()).toBe(email)

  // Sign in, past a wrong password, and use the application.
  await signOut()
  await page.goto(at("/dashboard"))
  await enterPassword(second)
  await page.getByRole("alert").filter({ hasText: /\w/ }).first().waitFor()
  await enterPassword(first)
  await isAt("/dashboard")
  await page.getByLabel("Name of the boat").fill("Ada's ark")
  await press("Book a berth")
  await page.getByRole("listitem").filter({ hasText: "Ada's ark" }).waitFor()
  expect(await (await api()).json()).toEqual({ berths: ["Ada's ark"] })

  // Set up an authenticator app.
  await page.locator("#user").click()
  await press("Set up an authenticator app")
  await page.getByLabel("Code").waitFor()
  const key = /[A-Z2-7]{32}/.exec((await page.locator("main").innerText()).replaceAll(" ", ""))?.[0] ?? ""
  await page.getByLabel("Code").fill(oneTimeCode(key))
  await press("Continue")
  await page.getByText("Two-step verification is on").first().waitFor()
  const recovery = await page.getByRole("listitem").allInnerTexts()
  expect(recovery).toHaveLength(10)

  // Sign in with the next code of the app, and trust the browser, which asks for nothing more the next time.
  await signOut()
  await page.goto(at("/dashboard"))
  await enterPassword(first)
  await answer(oneTimeCode(key, Date.now() + 30_000), true)
  await isAt("/dashboard")
  await signOut()
  await page.goto(at("/dashboard"))
  await enterPassword(first)
  await isAt("/dashboard")

  // A sensitive action asks again.
  await page.getByRole("link", { name: "Release your berths" }).click()
  await page.getByRole("heading", { name: "Confirm that it's you" }).waitFor()
  await page.getByLabel("Code").fill(recovery[0] ?? "")
  await press("Continue")
  await isAt("/dashboard/release")
  await press("Release all")
  await page.getByText("You have no berth yet.").waitFor()
  expect(await (await api()).json()).toEqual({ berths: [] })

  // Reset the password in another browser. It asks for the factor too.
  await page.context().clearCookies()
  await page.goto(at("/dashboard"))
  await openPasswordForm()
  await page.getByRole("link", { name: /Forgot|Reset/ }).click()
  await page.getByLabel("Email").fill(email)
  await press("Send link")
  await page.getByText(email).waitFor()
  await openMail(/Choose a new password/)
  await page.locator("[type=password]").fill(second)
  await press("Save password")
  await answer(recovery[1] ?? "")
  await page.waitForURL((url) => !url.pathname.startsWith(basePath))
  await signOut()
  await page.goto(at("/dashboard"))
  await enterPassword(first)
  await page.getByRole("alert").filter({ hasText: /\w/ }).first().waitFor()
  await enterPassword(second)
  await answer(recovery[2] ?? "")
  await isAt("/dashboard")
}
