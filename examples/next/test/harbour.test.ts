import { createProvider, type Listening } from "../../../packages/testing/src/index.js"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openQuietly, type Options } from "./quiet.js"
import { type RunningExample, startExample } from "./running-example.js"

const ada = { email: "ada@harbour.example", password: "bernoulli" }
const grace = { email: "grace@harbour.example", password: "nanosecond" }

inChromium("the example for the App Router", (visit) => {
  const op = createProvider()
  let listening: Listening | undefined
  let example: RunningExample

  beforeAll(async () => {
    listening = await op.listen()
    example = await startExample("next", {
      DATABASE_FILE: "harbour.db",
      AUTH_OPENID_ISSUER: op.issuer,
      AUTH_OPENID_ID: op.clientId,
      AUTH_OPENID_SECRET: op.clientSecret,
    })
  }, 270_000)

  afterAll(async () => {
    await example?.stop()
    await listening?.close()
  })

  async function open(path: string, options?: Options): Promise<Page> {
    const page = await openQuietly(visit, options)
    await page.goto(at(path))
    return page
  }

  const at = (path: string): string => example.origin + path

  test("shows everybody the first page, and sends those who want more to the sign-in page", async () => {
    const page = await open("/")
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Come in")
    await page.getByRole("navigation").getByRole("link", { name: "Account" }).click()
    await page.waitForURL(/\/sign-in\?/)
    expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe(at("/account"))
  })

  describe.each([
    { scripts: "with JavaScript", javaScriptEnabled: true },
    { scripts: "without JavaScript", javaScriptEnabled: false },
  ])("$scripts", ({ javaScriptEnabled }) => {
    test("a wrong password is told in the form, and the right one of an administrator leads to their page", async () => {
      const page = await open("/admin", { javaScriptEnabled })
      await enterPassword(page, { ...ada, password: "babbage" })
      const problem = page.getByText("That is not the password for this address.")
      await problem.waitFor()
      expect(new URL(page.url()).pathname).toBe("/sign-in")
      expect(await sessionOf(page)).toBeNull()
      await enterPassword(page, ada)
      await page.waitForURL(at("/admin"))
      expect(await visitor(page).innerText()).toBe("Ada Lovelace")
      expect(await page.getByRole("listitem").allInnerTexts()).toContainEqual(expect.stringContaining(grace.email))
      expect(await sessionOf(page)).toMatchObject({ user: { email: ada.email, role: "admin" } })
    })

    test("signing out leaves nobody, neither in the page nor at the server", async () => {
      const page = await open("/account", { javaScriptEnabled })
      await enterPassword(page, ada)
      await page.waitForURL(at("/account"))
      await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
      await page.waitForURL(at("/"))
      await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor()
      expect(await visitor(page).count()).toBe(0)
      expect(await sessionOf(page)).toBeNull()
      await page.goto(at("/account"))
      expect(new URL(page.url()).pathname).toBe("/sign-in")
    })
  })

  test("somebody unknown is told the same as somebody with a wrong password", async () => {
    const page = await open("/sign-in")
    await enterPassword(page, { email: "nobody@harbour.example", password: ada.password })
    await page.getByText("That is not the password for this address.").waitFor()
  })

  test("a link by e-mail makes an account, and is good for once", async () => {
    const page = await open("/account")
    await askForLink(page, "mary@elsewhere.example")
    await page.getByRole("link", { name: "outbox" }).click()
    const link = linkTo(page, "mary@elsewhere.example")
    const used = (await link.getAttribute("href")) ?? ""
    await link.click()
    await page.waitForURL(at("/account"))
    expect(await visitor(page).innerText()).toBe("mary@elsewhere.example")
    expect(await page.locator("#role").innerText()).toBe("member")
    const other = await open(used.slice(example.origin.length))
    await other.getByRole("button", { name: "Sign in" }).click()
    await other.getByText("This link was used already, or is too old: ask for a new one.").waitFor()
    expect(await sessionOf(other)).toBeNull()
  })

  test("of the services only one that is set up can be chosen; it signs in, and the account names it", async () => {
    const page = await open("/account")
    expect(await page.getByRole("button", { name: "Continue with GitHub" }).isDisabled()).toBe(true)
    await page.getByRole("button", { name: "Continue with OpenID" }).click()
    await page.getByRole("button", { name: "Linus Pauling" }).click()
    await page.waitForURL(at("/account"))
    const { name, email } = op.people.linus
    expect(await visitor(page).innerText()).toBe(name)
    expect(await page.getByRole("definition").allInnerTexts()).toEqual(
      expect.arrayContaining([name, email, "member", "openid"]),
    )
  })

  test("a new name is in the page and in the header at once, after a reload, and after another sign-in", async () => {
    const page = await open("/account")
    await enterPassword(page, grace)
    await page.waitForURL(at("/account"))
    await page.getByLabel("Name").fill("Rear Admiral")
    await page.getByRole("button", { name: "Rename" }).click()
    await page.getByText("You are Rear Admiral from now on.").waitFor()
    await expectName(page, "Rear Admiral")
    await page.reload()
    await expectName(page, "Rear Admiral")
    const other = await open("/account")
    await enterPassword(other, grace)
    await other.waitForURL(at("/account"))
    await expectName(other, "Rear Admiral")
  })

  test("a member gets 403 where administrators go, also after an update that forges a role", async () => {
    const page = await open("/account", { expected: ["/admin"] })
    await askForLink(page, "mallory@elsewhere.example")
    await page.goto(at("/outbox"))
    await linkTo(page, "mallory@elsewhere.example").click()
    await page.waitForURL(at("/account"))
    await page.getByRole("link", { name: "Administration" }).click()
    await page.getByRole("heading", { name: "For administrators only" }).waitFor()
    await expectForbidden(page)
    const forged = { name: "Mallory", role: "admin" }
    const updated = await updateSession(page, { ...forged, user: { ...forged, id: "1" } })
    // The update itself arrived.
    expect(updated).toMatchObject({ user: { name: "Mallory", role: "member" } })
    expect(await sessionOf(page)).toMatchObject({ user: { name: "Mallory", role: "member" } })
    await expectForbidden(page)
  })

  async function expectForbidden(page: Page): Promise<void> {
    const answer = await page.goto(at("/admin"))
    expect(answer?.status()).toBe(403)
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("For administrators only")
    expect(await page.getByText(grace.email).count()).toBe(0)
  }

  async function sessionOf(page: Page): Promise<unknown> {
    return (await page.request.get(at("/api/auth/session"))).json()
  }

  /** As the browser may send it, whatever our own code sends. */
  async function updateSession(page: Page, data: unknown): Promise<unknown> {
    const { csrfToken } = await (await page.request.get(at("/api/auth/csrf"))).json()
    return (await page.request.post(at("/api/auth/session"), { data: { csrfToken, data } })).json()
  }
})

async function expectName(page: Page, name: string): Promise<void> {
  await page.locator("#name").filter({ hasText: name }).waitFor()
  await visitor(page).filter({ hasText: name }).waitFor()
}

async function enterPassword(page: Page, { email, password }: typeof ada): Promise<void> {
  const form = page.locator("form").filter({ has: page.getByLabel("Password") })
  await form.getByLabel("E-mail").fill(email)
  await form.getByLabel("Password").fill(password)
  await form.getByRole("button", { name: "Sign in" }).click()
}

async function askForLink(page: Page, address: string): Promise<void> {
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Send me a link" }) })
  await form.getByLabel("E-mail").fill(address)
  await form.getByRole("button").click()
  await page.getByRole("heading", { name: "Look into your mail" }).waitFor()
}

function linkTo(page: Page, address: string): Locator {
  return page.getByRole("listitem").filter({ hasText: address }).getByRole("link", { name: "Open the link" })
}

function visitor(page: Page): Locator {
  return page.locator("#visitor")
}
