import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { addAuthenticator } from "../../../tests/browser/authenticator.js"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openStrictPage, type Options } from "../../../tests/browser/strict-page.js"
import { type RunningExample, startExample } from "../../../tests/next/running-example.js"

inChromium("the Pages Router example", (visit) => {
  let example: RunningExample

  beforeAll(async () => {
    example = await startExample("next-pages", { DATABASE_FILE: "guests.db" })
  }, 420_000)

  afterAll(async () => example?.stop())

  const at = (path: string): string => example.origin + path

  async function open(path: string, options?: Options): Promise<Page> {
    const page = await openStrictPage(visit, options)
    await page.goto(at(path))
    return page
  }

  test("the button in the header opens the built-in sign-in page, which returns to the same page", async () => {
    const page = await open("/")
    await page.getByText("You are not signed in.").waitFor()
    await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(/\/api\/auth\/signin\?/)
    await enterName(page, "Grace")
    await page.waitForURL(at("/"))
    await page.getByText("You are signed in.").waitFor()
    expect(await page.getByRole("banner").innerText()).toMatch(/Grace\s+guest/)
  })

  test("signing in works without JavaScript", async () => {
    const page = await open("/account", { javaScriptEnabled: false })
    expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    await enterName(page, "Barbara")
    await page.waitForURL(at("/account"))
    expect(await page.locator("#name").innerText()).toBe("Barbara")
    expect(await page.getByRole("definition").allInnerTexts()).toContain("guest")
  })

  test("an invalid name shows an error on the built-in page", async () => {
    const page = await open("/account")
    await enterName(page, "x".repeat(61))
    await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor()
    expect(new URL(page.url()).searchParams.get("error")).toBe("CredentialsSignin")
    expect(await sessionOf(page)).toBeNull()
  })

  test("the email link in the terminal creates a member", async () => {
    const page = await open("/account")
    await page.getByText("Sign in with email instead").click()
    await page.getByRole("textbox", { name: "Email", exact: true }).fill("mary@elsewhere.example")
    await page.getByRole("button", { name: "Continue", exact: true }).click()
    const link = await linkTo("mary@elsewhere.example")
    await page.goto(link)
    await page.waitForURL(at("/account"))
    expect(await page.getByRole("definition").allInnerTexts()).toEqual(["–", "mary@elsewhere.example", "member"])
  })

  test("a passkey creates a member, and signs in again on the built-in page", async () => {
    const page = await open("/account")
    await addAuthenticator(page)
    const form = page.locator("form[data-passkey]")
    await form.locator("summary").click()
    await form.getByLabel("Email").fill("joan@elsewhere.example")
    await form.getByRole("button", { name: "Create a passkey" }).click()
    await page.waitForURL(at("/account"))
    expect(await page.getByRole("definition").allInnerTexts()).toEqual(["–", "joan@elsewhere.example", "member"])
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.getByText("No passkey was added.").waitFor()
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(at("/"))
    await page.goto(at("/account"))
    // The autofill uses the only passkey of the device.
    await page.waitForURL(at("/account"))
    await page.getByText("joan@elsewhere.example").first().waitFor()
  })

  test("the proxy requires a session for a static page, which then calls the API", async () => {
    const page = await open("/members?from=afar")
    expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe(at("/members?from=afar"))
    await enterName(page, "Grace")
    await page.waitForURL(at("/members?from=afar"))
    await page.getByText("Hello Grace, from the server.").waitFor()
  })

  test("the API route answers 401 without a session", async () => {
    const page = await open("/")
    const response = await page.request.get(at("/api/greeting"))
    expect([response.status(), await response.text()]).toEqual([401, "Please sign in"])
  })

  test("a new name shows in the page and the header at once, and reaches the server", async () => {
    const page = await open("/members")
    await enterName(page, "Grace")
    await page.getByText("Hello Grace, from the server.").waitFor()
    await page.getByRole("navigation").getByRole("link", { name: "Account" }).click()
    await page.getByLabel("Change your name").fill("Grace Hopper")
    await page.getByRole("button", { name: "Save" }).click()
    await expectName(page, "Grace Hopper")
    expect(await (await page.request.get(at("/api/greeting"))).text()).toBe("Hello Grace Hopper, from the server.")
    await page.reload()
    await expectName(page, "Grace Hopper")
  })

  test("an update changes the name and nothing else", async () => {
    const page = await open("/account")
    await enterName(page, "Mallory")
    await page.waitForURL(at("/account"))
    const { csrfToken } = await (await page.request.get(at("/api/auth/csrf"))).json()
    const forged = { isGuest: false, user: { name: "Mal", email: "grace@harbor.example", isGuest: false } }
    await page.request.post(at("/api/auth/session"), { data: { csrfToken, data: forged } })
    await page.reload()
    expect(await page.getByRole("definition").allInnerTexts()).toEqual(["Mal", "–", "guest"])
  })

  test("signing out reaches all tabs, and a page that requires a session redirects to the sign-in page", async () => {
    const page = await open("/account")
    await enterName(page, "Grace")
    await page.waitForURL(at("/account"))
    const [home, members] = [await page.context().newPage(), await page.context().newPage()]
    await home.goto(at("/"))
    await home.getByText("You are signed in.").waitFor()
    await members.goto(at("/members"))
    await members.getByText("Hello Grace, from the server.").waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(at("/"))
    await home.getByText("You are not signed in.").waitFor()
    await members.waitForURL(/\/api\/auth\/signin\?/)
    expect(await sessionOf(page)).toBeNull()
  })

  async function sessionOf(page: Page): Promise<unknown> {
    return (await page.request.get(at("/api/auth/session"))).json()
  }

  async function linkTo(email: string): Promise<string> {
    const link = () => example.output().split(`The sign-in link for ${email}:\n`)[1]?.split("\n")[0] ?? ""
    await expect.poll(link).toContain(at("/api/auth/callback/email"))
    return link()
  }
})

async function enterName(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your name").fill(name)
  await page.getByRole("button", { name: "Sign in with a name" }).click()
}

async function expectName(page: Page, name: string): Promise<void> {
  await page.locator("#name").filter({ hasText: name }).waitFor()
  await page.locator("#user").filter({ hasText: name }).waitFor()
}
