import { request } from "node:http"
import { fileURLToPath } from "node:url"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest"
import { addAuthenticator, recordRequests, setPresence } from "../../../tests/browser/authenticator.js"
import { type RunningDemo, startDemo, takenPort } from "./running-demo.js"

const executablePath = inject("chromium")
const screenshots = fileURLToPath(new URL("../temp/", import.meta.url))
const flags =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"

describe("the process", () => {
  test("stops with exit code 0 on Ctrl-C, also while a browser receives events", async () => {
    const demo = await startDemo(0)
    const listening = request(`${demo.origin}/events`).on("error", () => {})
    await new Promise((resolve) => listening.on("response", resolve).end())
    expect(await demo.interrupt()).toBe(0)
    expect(demo.printed.join("\n")).toContain("The demo has stopped.")
  })

  test("uses another port if its port is in use", async () => {
    const taken = await takenPort()
    onTestFinished(taken.release)
    const demo = await startDemo(taken.port)
    onTestFinished(async () => void (await demo.interrupt()))
    expect(demo.printed.join("\n")).toContain(`Port ${taken.port} is in use`)
    expect(demo.origin).not.toContain(String(taken.port))
    const providers: unknown = await (await fetch(`${demo.origin}/auth/providers`)).json()
    expect(providers).toMatchObject({ openid: { callbackUrl: `${demo.origin}/auth/callback/openid` } })
  })

  test("prints no warnings", async () => {
    const demo = await startDemo(0)
    expect(await demo.interrupt()).toBe(0)
    expect(demo.printed.filter((line) => /warn|notice|deprecat|error/i.test(line))).toEqual([])
  })
})

describe.skipIf(executablePath === undefined)("in a browser (needs Chromium)", () => {
  let demo: RunningDemo
  let browser: Browser

  beforeAll(async () => {
    demo = await startDemo(0)
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: flags.split(" "),
    })
  })

  afterAll(async () => {
    await browser?.close()
    await demo?.interrupt()
  })

  /** Opens a page in a new browser context. Errors and warnings in the console fail the test. */
  async function visit(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options)
    // A busy machine doesn't reach it.
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const problems: string[] = []
    page.on("pageerror", (error) => problems.push(error.message))
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text())
    })
    onTestFinished(async () => {
      await context.close()
      expect(problems).toEqual([])
    })
    await page.goto(demo.origin + path)
    return page
  }

  const strategies = [
    { strategy: "database", path: "/", mount: "/auth" },
    { strategy: "jwt", path: "/jwt", mount: "/auth-jwt" },
  ] as const

  describe.each(strategies)("with $strategy sessions", ({ strategy, path, mount }) => {
    const methods = [
      ["OpenID Connect", (page: Page) => throughProvider(page, "OpenID", "Ada Lovelace"), "ada@example.com"],
      ["OAuth", (page: Page) => throughProvider(page, "OAuth", "Grace Hopper"), "grace@example.com"],
      ["an email link", (page: Page) => byLink(page, `${strategy}@example.org`), `${strategy}@example.org`],
      ["an email code", (page: Page) => byCode(page, `${strategy}@example.net`), `${strategy}@example.net`],
      ["a password", (page: Page) => byPassword(page, "alan", "bombe"), "alan@example.com"],
    ] as const

    test.each(methods)("signs in with %s, shows the session, and signs out", async (method, signIn, email) => {
      const page = await visit(path)
      await signIn(page)
      await page.locator("#who").waitFor()
      expect(page.url()).toBe(demo.origin + path)
      const shown = JSON.parse(await page.locator("#session").innerText())
      expect(shown).toMatchObject({ user: { email }, expires: expect.any(String) })
      const session = await (await page.request.get(`${demo.origin}${mount}/session`)).json()
      expect(session.user).toEqual(shown.user)
      await shoot(page, `${strategy}-${method}`)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Send a link" }).waitFor()
      expect(await page.locator("#session").innerText()).toBe("null")
      expect(await (await page.request.get(`${demo.origin}${mount}/session`)).json()).toBeNull()
    })

    test("signs up with a passkey, signs out, and signs in with it by a button and by autofill", async () => {
      const page = await visit(path)
      const authenticator = await addAuthenticator(page)
      const requests = await recordRequests(page)
      const email = `passkey-${strategy}@example.org`
      await page.getByLabel("Email for a new passkey").fill(email)
      await page.getByRole("button", { name: "Create a passkey" }).click()
      expect(await emailOf(page)).toBe(email)
      await shoot(page, `${strategy}-passkey`)

      await setPresence(authenticator, false)
      await page.getByRole("button", { name: "Sign out" }).click()
      await expect.poll(requests).toEqual(["pending"])
      await setPresence(authenticator, true)
      await page.getByRole("button", { name: "Sign in with a passkey" }).click()
      expect(await emailOf(page)).toBe(email)

      // The authenticator selects the passkey that the autofill offers.
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.waitForResponse(`${demo.origin}${mount}/callback/passkey`)
      expect(await emailOf(page)).toBe(email)
      await setPresence(authenticator, false)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Create a passkey" }).waitFor()
    })

    test("adds a passkey to an account, which signs in on the built-in page", async () => {
      const page = await visit(path)
      const authenticator = await addAuthenticator(page)
      const requests = await recordRequests(page)
      const before = await rowsOf(page, "authenticators")
      await byPassword(page, "grace", "nanosecond")
      await page.getByRole("button", { name: "Add a passkey" }).click()
      await expect.poll(() => rowsOf(page, "authenticators")).toBe(before + 1)
      await setPresence(authenticator, false)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Create a passkey" }).waitFor()
      await page.goto(`${demo.origin}${mount}/signin?callbackUrl=${encodeURIComponent(path)}`)
      await expect.poll(requests).toEqual(["pending"])
      await setPresence(authenticator, true)
      await page.getByRole("button", { name: "Sign in with a passkey" }).click()
      expect(await emailOf(page)).toBe("grace@example.com")
      expect(page.url()).toBe(demo.origin + path)
      await setPresence(authenticator, false)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Create a passkey" }).waitFor()
    })

    test("says what to do if the browser has no passkey", async () => {
      const page = await visit(path)
      await addAuthenticator(page)
      await page.getByRole("button", { name: "Sign in with a passkey" }).click()
      await expect.poll(() => page.getByRole("alert").innerText()).toContain("not allowed")
    })

    test("rejects a wrong password", async () => {
      const page = await visit(path)
      await byPassword(page, "alan", "wrong")
      await page.waitForURL(/error=CredentialsSignin/)
      await shoot(page, `${strategy}-wrong-password`)
      await page.goto(demo.origin + path)
      expect(await page.locator("#session").innerText()).toBe("null")
    })

    test("returns to the sign-in page if the user cancels at the provider", async () => {
      const page = await visit(path)
      await page.getByRole("button", { name: "OpenID" }).click()
      await page.getByRole("button", { name: "Cancel" }).click()
      await page.waitForURL(/error=/)
      expect(page.url()).toContain(mount)
    })
  })

  test("stores a row only for a database session", async () => {
    const stored = await visit("/")
    await byPassword(stored, "ada", "bernoulli")
    expect(await rowsOf(stored, "sessions")).toBe(1)
    const jwt = await visit("/jwt")
    await byPassword(jwt, "ada", "bernoulli")
    expect(await rowsOf(jwt, "sessions")).toBe(1)
    await stored.getByRole("button", { name: "Sign out" }).click()
    expect(await rowsOf(stored, "sessions")).toBe(0)
  })

  test("has separate sessions for the two strategies", async () => {
    const page = await visit("/")
    await byPassword(page, "ada", "bernoulli")
    await page.getByRole("link", { name: "JWT sessions" }).click()
    expect(await page.locator("#session").innerText()).toBe("null")
    await page.getByRole("link", { name: "Database sessions" }).click()
    expect(await page.locator("#who").innerText()).toBe("Ada Lovelace")
  })

  test("shows new events without reloading", async () => {
    const observer = await visit("/")
    const before = await observer.locator("#events li").count()
    const other = await visit("/jwt")
    await byPassword(other, "grace", "nanosecond")
    await observer.locator("#events li", { hasText: "signIn Grace Hopper with password" }).first().waitFor()
    expect(await observer.locator("#events li").count()).toBeGreaterThan(before)
  })

  test("works without JavaScript", async () => {
    const page = await visit("/", { javaScriptEnabled: false })
    await throughProvider(page, "OpenID", "Alan Turing")
    expect(await page.locator("#who").innerText()).toBe("Alan Turing")
    await page.reload()
    expect(await page.locator("#events").innerText()).toContain("signIn Alan Turing")
  })

  test("has the built-in sign-in page", async () => {
    const page = await visit("/auth/signin?callbackUrl=/")
    await shoot(page, "built-in-sign-in")
    await page.getByRole("button", { name: /OpenID/ }).click()
    await page.getByRole("button", { name: "Ada Lovelace" }).click()
    expect(await page.locator("#who").innerText()).toBe("Ada Lovelace")
  })

  test("has the built-in account page", async () => {
    const page = await visit("/")
    await byPassword(page, "ada", "bernoulli")
    await page.getByRole("link", { name: "Account" }).click()
    await shoot(page, "built-in-account")
    await page.getByRole("button", { name: "Sign out everywhere" }).click()
    await page.getByRole("heading", { name: "Sign in to Latchkey demo" }).waitFor()
  })

  test.each(strategies)(
    "signs up, and signs in with a code of the phone ($strategy)",
    async ({ strategy, path, mount }) => {
      const page = await visit(path)
      const email = `phone-${strategy}@example.com`
      const password = "tuba gravel oyster ninety"
      await page.getByRole("link", { name: "Create an account" }).click()
      await page.locator("[name=email]").fill(email)
      await page.locator("[name=password]").fill(password)
      await page.locator("[type=submit]").click()
      await page.getByText(email).waitFor()
      await openMessage(page, email)
      await page.getByRole("link", { name: "Open the link" }).click()
      await page.getByRole("button", { name: "Create account" }).click()
      await page.waitForURL((url) => !url.pathname.startsWith(`${mount}/password`))

      await page.goto(`${demo.origin}${mount}/account`)
      await page.getByRole("button", { name: "Set up an authenticator app" }).click()
      await page.getByLabel("Code").waitFor()
      const key = /[A-Z2-7]{32}/.exec((await page.locator("main").innerText()).replaceAll(" ", ""))?.[0] ?? ""
      const phone = await page.context().newPage()
      const codeOf = async (id: string) => {
        await phone.goto(`${demo.origin}/phone`)
        await phone.getByLabel("Key").fill(key.toLowerCase())
        await phone.getByRole("button", { name: "Show the codes" }).click()
        return phone.locator(id).innerText()
      }
      await page.getByLabel("Code").fill(await codeOf("#code"))
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByText("Two-step verification is on").first().waitFor()

      await page.goto(demo.origin + path)
      await page.getByRole("button", { name: "Sign out" }).click()
      await byPassword(page, `phone-${strategy}`, password)
      await page.waitForURL(`${demo.origin}${mount}/factor`)
      expect(await (await page.request.get(`${demo.origin}${mount}/session`)).json()).toBeNull()
      await page.getByLabel("Code").fill(await codeOf("#next-code"))
      await shoot(phone, `${strategy}-phone`)
      await page.getByRole("button", { name: "Continue" }).click()
      expect(await emailOf(page)).toBe(email)
      expect(await page.locator("#events").innerText()).toContain("mfa.enrolled")
    },
  )

  test("fits the screen in light, dark and narrow layouts", async () => {
    for (const [name, options] of [
      ["light", { viewport: { width: 1280, height: 900 } }],
      ["dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
      ["narrow", { viewport: { width: 375, height: 800 } }],
    ] as const) {
      const page = await visit("/", options)
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      await shoot(page, `signed-out-${name}`)
    }
  })

  async function emailOf(page: Page): Promise<string> {
    await page.locator("#who").waitFor()
    return JSON.parse(await page.locator("#session").innerText()).user.email
  }

  async function shoot(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: `${screenshots}${name.replaceAll(" ", "-")}.png`, fullPage: true })
  }

  async function throughProvider(page: Page, provider: string, user: string): Promise<void> {
    await page.getByRole("button", { name: `Sign in with ${provider}` }).click()
    await page.getByRole("heading", { name: "Choose a user" }).waitFor()
    await shoot(page, "openid-provider")
    await page.getByRole("button", { name: user }).click()
    await page.locator("#who").waitFor()
  }

  async function byLink(page: Page, email: string): Promise<void> {
    await page.getByRole("textbox", { name: "Email", exact: true }).fill(email)
    await page.getByRole("button", { name: "Send a link" }).click()
    await page.getByRole("heading", { name: "Check your email" }).waitFor()
    await openMessage(page, email)
    await page.getByRole("link", { name: "Open the link" }).click()
  }

  async function byCode(page: Page, email: string): Promise<void> {
    await page.getByRole("textbox", { name: "Email", exact: true }).fill(email)
    await page.getByRole("button", { name: "Send a link" }).click()
    await page.getByLabel("6-digit code").waitFor()
    await shoot(page, "check-your-email")
    const inbox = await page.context().newPage()
    await openMessage(inbox, email)
    const [code = ""] = /\b\d{6}\b/.exec(await inbox.locator("pre").innerText()) ?? []
    await inbox.close()
    // The last digit sends the form.
    await page.getByLabel("6-digit code").fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  }

  async function openMessage(page: Page, email: string): Promise<void> {
    await page.goto(`${demo.origin}/inbox`)
    await shoot(page, "inbox")
    await page.getByRole("listitem").filter({ hasText: email }).getByRole("link").first().click()
    await shoot(page, "message")
  }

  async function byPassword(page: Page, name: string, password: string): Promise<void> {
    await page.getByLabel("Email of your account").fill(`${name}@example.com`)
    await page.getByRole("textbox", { name: "Password" }).fill(password)
    await page.getByRole("button", { name: "Sign in with a password" }).click()
    await page.waitForLoadState()
  }

  async function rowsOf(page: Page, table: string): Promise<number> {
    return await page.getByRole("region", { name: table, exact: true }).locator("tbody tr").count()
  }
})
