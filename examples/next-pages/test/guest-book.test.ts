import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openQuietly, type Options } from "../../next/test/quiet.js"
import { type RunningExample, startExample } from "../../next/test/running-example.js"

inChromium("the example for the Pages Router", (visit) => {
  let example: RunningExample

  beforeAll(async () => {
    example = await startExample("next-pages", { DATABASE_FILE: "guests.db" })
  }, 270_000)

  afterAll(async () => example?.stop())

  const at = (path: string): string => example.origin + path

  async function open(path: string, options?: Options): Promise<Page> {
    const page = await openQuietly(visit, options)
    await page.goto(at(path))
    return page
  }

  test("the button in the header leads to the built-in sign-in page, and back to where it was", async () => {
    const page = await open("/")
    await page.getByText("You are not signed in.").waitFor()
    await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(/\/api\/auth\/signin\?/)
    await enterName(page, "Grace")
    await page.waitForURL(at("/"))
    await page.getByText("You are signed in.").waitFor()
    expect(await page.getByRole("banner").innerText()).toMatch(/Grace\s+guest/)
  })

  test("without JavaScript one signs in as well, for the page that the server makes", async () => {
    const page = await open("/account", { javaScriptEnabled: false })
    expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    await enterName(page, "Barbara")
    await page.waitForURL(at("/account"))
    expect(await page.locator("#name").innerText()).toBe("Barbara")
    expect(await page.getByRole("definition").allInnerTexts()).toContain("guest")
  })

  test("a name that is none is refused on the built-in page", async () => {
    const page = await open("/account")
    await enterName(page, "x".repeat(61))
    await page.getByRole("alert").waitFor()
    expect(new URL(page.url()).searchParams.get("error")).toBe("CredentialsSignin")
    expect(await sessionOf(page)).toBeNull()
  })

  test("the link of an e-mail, told in the terminal, makes a member", async () => {
    const page = await open("/account")
    await page.getByLabel(/e-?mail/i).fill("mary@elsewhere.example")
    await page.getByRole("button", { name: /e-mail/i }).click()
    const link = await linkTo("mary@elsewhere.example")
    await page.goto(link)
    await page.waitForURL(at("/account"))
    expect(await page.getByRole("definition").allInnerTexts()).toEqual(["–", "mary@elsewhere.example", "member"])
  })

  test("the proxy lets nobody at a static page without a session, and then the API greets", async () => {
    const page = await open("/members?from=afar")
    expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe(at("/members?from=afar"))
    await enterName(page, "Grace")
    await page.waitForURL(at("/members?from=afar"))
    await page.getByText("The server greets Grace.").waitFor()
  })

  test("the API route answers 401 without a session", async () => {
    const page = await open("/")
    const answer = await page.request.get(at("/api/greeting"))
    expect([answer.status(), await answer.text()]).toEqual([401, "Sign in first"])
  })

  test("a new name is in the page and in the header at once, and for the server from then on", async () => {
    const page = await open("/members")
    await enterName(page, "Grace")
    await page.getByText("The server greets Grace.").waitFor()
    await page.getByRole("navigation").getByRole("link", { name: "Account" }).click()
    await page.getByLabel("Another name").fill("Grace Hopper")
    await page.getByRole("button", { name: "Rename" }).click()
    await expectName(page, "Grace Hopper")
    expect(await (await page.request.get(at("/api/greeting"))).text()).toBe("The server greets Grace Hopper.")
    await page.reload()
    await expectName(page, "Grace Hopper")
  })

  test("an update changes the name, and makes no member of a guest", async () => {
    const page = await open("/account")
    await enterName(page, "Mallory")
    await page.waitForURL(at("/account"))
    const { csrfToken } = await (await page.request.get(at("/api/auth/csrf"))).json()
    const forged = { isGuest: false, user: { name: "Mal", email: "grace@harbour.example", isGuest: false } }
    await page.request.post(at("/api/auth/session"), { data: { csrfToken, data: forged } })
    await page.reload()
    expect(await page.getByRole("definition").allInnerTexts()).toEqual(["Mal", "–", "guest"])
  })

  test("tabs are signed out together, and the one with the page for members is led to sign in again", async () => {
    const page = await open("/account")
    await enterName(page, "Grace")
    await page.waitForURL(at("/account"))
    const [home, members] = [await page.context().newPage(), await page.context().newPage()]
    await home.goto(at("/"))
    await home.getByText("You are signed in.").waitFor()
    await members.goto(at("/members"))
    await members.getByText("The server greets Grace.").waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(at("/"))
    await home.getByText("You are not signed in.").waitFor()
    await members.waitForURL(/\/api\/auth\/signin\?/)
    expect(await sessionOf(page)).toBeNull()
  })

  async function sessionOf(page: Page): Promise<unknown> {
    return (await page.request.get(at("/api/auth/session"))).json()
  }

  async function linkTo(address: string): Promise<string> {
    const told = () => example.words().split(`The link for ${address}:\n`)[1]?.split("\n")[0] ?? ""
    await expect.poll(told).toContain(at("/api/auth/callback/mail"))
    return told()
  }
})

async function enterName(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your name").fill(name)
  await page.getByRole("button", { name: "Sign in with a name" }).click()
}

async function expectName(page: Page, name: string): Promise<void> {
  await page.locator("#name").filter({ hasText: name }).waitFor()
  await page.locator("#visitor").filter({ hasText: name }).waitFor()
}
