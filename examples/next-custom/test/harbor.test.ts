import { createProvider, type Listening } from "../../../packages/testing/src/index.js"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { addAuthenticator } from "../../../tests/browser/authenticator.js"
import { inChromium } from "../../../tests/browser/chromium.js"
import { signInEachWay } from "../../../tests/browser/own-sign-in.js"
import { openStrictPage, type Options } from "../../../tests/browser/strict-page.js"
import { type RunningExample, startExample } from "../../../tests/next/running-example.js"

const ada = { email: "ada@harbor.example", password: "bernoulli" }
const grace = { email: "grace@harbor.example", password: "nanosecond" }

inChromium("the App Router example", (visit) => {
  const op = createProvider()
  let listening: Listening | undefined
  let example: RunningExample

  beforeAll(async () => {
    listening = await op.listen()
    example = await startExample("next-custom", {
      DATABASE_FILE: "harbor.db",
      AUTH_OPENID_ISSUER: op.issuer,
      AUTH_OPENID_ID: op.clientId,
      AUTH_OPENID_SECRET: op.clientSecret,
    })
  }, 420_000)

  afterAll(async () => {
    await example?.stop()
    await listening?.close()
  })

  async function open(path: string, options?: Options): Promise<Page> {
    const page = await openStrictPage(visit, options)
    await page.goto(at(path))
    return page
  }

  const at = (path: string): string => example.origin + path

  test("shows the home page to visitors and redirects other pages to the sign-in page", async () => {
    const page = await open("/")
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Welcome")
    await page.getByRole("navigation").getByRole("link", { name: "Account" }).click()
    await page.waitForURL(/\/sign-in\?/)
    expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe(at("/account"))
  })

  describe.each([
    { scripts: "with JavaScript", javaScriptEnabled: true },
    { scripts: "without JavaScript", javaScriptEnabled: false },
  ])("$scripts", ({ javaScriptEnabled }) => {
    test("a wrong password shows an error, and the right one of an administrator opens the admin page", async () => {
      const page = await open("/admin", { javaScriptEnabled })
      await enterPassword(page, { ...ada, password: "babbage" })
      await page.getByText("Incorrect email or password.").waitFor()
      expect(new URL(page.url()).pathname).toBe("/sign-in")
      expect(await sessionOf(page)).toBeNull()
      await enterPassword(page, ada)
      await page.waitForURL(at("/admin"))
      expect(await userName(page).innerText()).toBe("Ada Lovelace")
      expect(await page.getByRole("listitem").allInnerTexts()).toContainEqual(expect.stringContaining(grace.email))
      expect(await sessionOf(page)).toMatchObject({ user: { email: ada.email, role: "admin" } })
    })

    test("signing out ends the session in the browser and on the server", async () => {
      const page = await open("/account", { javaScriptEnabled })
      await enterPassword(page, ada)
      await page.waitForURL(at("/account"))
      await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
      await page.waitForURL(at("/"))
      await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor()
      expect(await userName(page).count()).toBe(0)
      expect(await sessionOf(page)).toBeNull()
      await page.goto(at("/account"))
      expect(new URL(page.url()).pathname).toBe("/sign-in")
    })
  })

  test("an unknown email shows the same error as a wrong password", async () => {
    const page = await open("/sign-in")
    await enterPassword(page, { email: "unknown@harbor.example", password: ada.password })
    await page.getByText("Incorrect email or password.").waitFor()
  })

  test("an email link creates an account and works once", async () => {
    const page = await open("/account")
    await askForLink(page, "mary@elsewhere.example")
    await page.getByRole("link", { name: "outbox" }).click()
    const link = linkTo(page, "mary@elsewhere.example")
    const used = (await link.getAttribute("href")) ?? ""
    await link.click()
    await page.waitForURL(at("/account"))
    expect(await userName(page).innerText()).toBe("mary@elsewhere.example")
    expect(await page.locator("#role").innerText()).toBe("member")
    const other = await open(used.slice(example.origin.length))
    await other.getByText("This link has expired or was already used. Request a new one.").waitFor()
    expect(await sessionOf(other)).toBeNull()
  })

  test("only a configured provider is enabled; it signs in, and the account page lists it", async () => {
    const page = await open("/account")
    expect(await page.getByRole("button", { name: "Continue with GitHub" }).isDisabled()).toBe(true)
    await page.getByRole("button", { name: "Continue with OpenID" }).click()
    await page.getByRole("button", { name: "Linus Pauling" }).click()
    await page.waitForURL(at("/account"))
    const { name, email } = op.people.linus
    expect(await userName(page).innerText()).toBe(name)
    expect(await page.getByRole("definition").allInnerTexts()).toEqual(
      expect.arrayContaining([name, email, "member", "openid"]),
    )
  })

  test("a member adds a passkey, which signs in with the button and with the autofill", async () => {
    const page = await open("/sign-in")
    const { session, authenticatorId } = await addAuthenticator(page)
    await page.addInitScript(() => {
      if (sessionStorage.getItem("no-autofill") !== null)
        Reflect.deleteProperty(PublicKeyCredential, "isConditionalMediationAvailable")
    })
    const autofill = async (enabled: boolean) =>
      session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.getByText("No passkey was used.").waitFor()
    await enterPassword(page, grace)
    await page.waitForURL(at("/account"))
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.getByText("Your passkey was added.").waitFor()
    await page.locator("#passkeys", { hasText: "1" }).waitFor()
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.getByText("No passkey was added.").waitFor()
    await autofill(false)
    await signOut(page)
    // Without this, the autofill would sign in before the button is pressed.
    await page.evaluate(() => sessionStorage.setItem("no-autofill", "1"))
    await page.goto(at("/account"))
    await autofill(true)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.waitForURL(at("/account"))
    await signOut(page)
    await page.evaluate(() => sessionStorage.removeItem("no-autofill"))
    await page.goto(at("/sign-in"))
    await page.waitForURL(at("/account"))
    expect(await sessionOf(page)).toMatchObject({ user: { email: grace.email, role: "member" } })
  })

  test("the sign-in page of the guide signs in each way", async () => {
    const { page } = await visit()
    await signInEachWay(page, { origin: example.origin, slash: "" })
  })

  test("a new name shows in the page and the header at once, after a reload, and after another sign-in", async () => {
    const page = await open("/account")
    await enterPassword(page, grace)
    await page.waitForURL(at("/account"))
    await page.getByLabel("Name").fill("Rear Admiral")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your name is now Rear Admiral.").waitFor()
    await expectName(page, "Rear Admiral")
    await page.reload()
    await expectName(page, "Rear Admiral")
    const other = await open("/account")
    await enterPassword(other, grace)
    await other.waitForURL(at("/account"))
    await expectName(other, "Rear Admiral")
  })

  test("a member gets 403 on the admin page, also after an update with a forged role", async () => {
    const page = await open("/account", { expected: ["/admin"] })
    await askForLink(page, "mallory@elsewhere.example")
    await page.goto(at("/outbox"))
    await linkTo(page, "mallory@elsewhere.example").click()
    await page.waitForURL(at("/account"))
    await page.getByRole("link", { name: "Administration" }).click()
    await page.getByRole("heading", { name: "Administrators only" }).waitFor()
    await expectForbidden(page)
    const forged = { name: "Mallory", role: "admin" }
    const updated = await updateSession(page, { ...forged, user: { ...forged, id: "1" } })
    // The name shows that the update arrived.
    expect(updated).toMatchObject({ user: { name: "Mallory", role: "member" } })
    expect(await sessionOf(page)).toMatchObject({ user: { name: "Mallory", role: "member" } })
    await expectForbidden(page)
  })

  test("the components sign in with what the server rendered, and sign out", async () => {
    const page = await open("/components")
    expect(await (await page.request.get(at("/components"))).text()).toContain('data-method="credentials"')
    await enterPassword(page, ada)
    const trigger = page.getByRole("button", { name: "Account of Ada Lovelace" })
    await trigger.click()
    expect(await page.getByRole("link", { name: "Account", exact: true }).last().getAttribute("href")).toBe("/account")
    await page.locator("[data-slot=user-button-content]").getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in to Harbor" }).waitFor()
  })

  async function signOut(page: Page): Promise<void> {
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(at("/"))
  }

  async function expectForbidden(page: Page): Promise<void> {
    const response = await page.goto(at("/admin"))
    expect(response?.status()).toBe(403)
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Administrators only")
    expect(await page.getByText(grace.email).count()).toBe(0)
  }

  async function sessionOf(page: Page): Promise<unknown> {
    return (await page.request.get(at("/api/auth/session"))).json()
  }

  /** Sends an update without the client, as an attacker can. */
  async function updateSession(page: Page, data: unknown): Promise<unknown> {
    const { csrfToken } = await (await page.request.get(at("/api/auth/csrf"))).json()
    return (await page.request.post(at("/api/auth/session"), { data: { csrfToken, data } })).json()
  }
})

async function expectName(page: Page, name: string): Promise<void> {
  await page.locator("#name").filter({ hasText: name }).waitFor()
  await userName(page).filter({ hasText: name }).waitFor()
}

async function enterPassword(page: Page, { email, password }: typeof ada): Promise<void> {
  const form = page.locator("form").filter({ has: page.getByLabel("Password") })
  await form.getByLabel("Email").fill(email)
  await form.getByLabel("Password").fill(password)
  await form.getByRole("button", { name: "Sign in" }).click()
}

async function askForLink(page: Page, email: string): Promise<void> {
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Email me a link" }) })
  await form.getByLabel("Email").fill(email)
  await form.getByRole("button").click()
  await page.getByRole("heading", { name: "Check your email" }).waitFor()
}

function linkTo(page: Page, email: string): Locator {
  return page.getByRole("listitem").filter({ hasText: email }).getByRole("link", { name: "Open link" })
}

function userName(page: Page): Locator {
  return page.locator("#user")
}
