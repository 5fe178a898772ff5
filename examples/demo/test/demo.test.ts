import { request } from "node:http"
import { fileURLToPath } from "node:url"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest"
import { type RunningDemo, startDemo, takenPort } from "./running-demo.js"

const executablePath = inject("chromium")
const screenshots = fileURLToPath(new URL("../temp/", import.meta.url))
const flags =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"

describe("the process", () => {
  test("ends with Ctrl-C and exit code 0, while a browser listens to events, and says so", async () => {
    const demo = await startDemo(0)
    const listening = request(`${demo.origin}/events`).on("error", () => {})
    await new Promise((resolve) => listening.on("response", resolve).end())
    expect(await demo.interrupt()).toBe(0)
    expect(demo.printed.join("\n")).toContain("The demo has ended.")
  })

  test("says that its port is taken, and takes another one", async () => {
    const taken = await takenPort()
    onTestFinished(taken.release)
    const demo = await startDemo(taken.port)
    onTestFinished(async () => void (await demo.interrupt()))
    expect(demo.printed.join("\n")).toContain(`Port ${taken.port} is taken by another program`)
    expect(demo.origin).not.toContain(String(taken.port))
    const providers: unknown = await (await fetch(`${demo.origin}/auth/providers`)).json()
    expect(providers).toMatchObject({ openid: { callbackUrl: `${demo.origin}/auth/callback/openid` } })
  })

  test("prints nothing but where to go", async () => {
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

  /** A new visitor; whatever the browser complains about fails the test. */
  async function visit(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
    })
    onTestFinished(async () => {
      await context.close()
      expect(complaints).toEqual([])
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
      ["a link by e-mail", (page: Page) => byMail(page, `${strategy}@example.org`), `${strategy}@example.org`],
      ["a code by e-mail", (page: Page) => byCode(page, `${strategy}@example.net`), `${strategy}@example.net`],
      ["a password", (page: Page) => byPassword(page, "alan", "bombe"), "alan@example.com"],
    ] as const

    test.each(methods)("signs in by %s, shows the session, and signs out", async (method, signIn, email) => {
      const page = await visit(path)
      await signIn(page)
      await page.locator("#who").waitFor()
      expect(page.url()).toBe(demo.origin + path)
      const shown = JSON.parse(await page.locator("#session").innerText())
      expect(shown).toMatchObject({ user: { email }, expires: expect.any(String) })
      const told = await (await page.request.get(`${demo.origin}${mount}/session`)).json()
      expect(told.user).toEqual(shown.user)
      await shoot(page, `${strategy}-${method}`)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Send a link" }).waitFor()
      expect(await page.locator("#session").innerText()).toBe("null")
      expect(await (await page.request.get(`${demo.origin}${mount}/session`)).json()).toBeNull()
    })

    test("does not sign in with a wrong password", async () => {
      const page = await visit(path)
      await byPassword(page, "alan", "wrong")
      await page.waitForURL(/error=CredentialsSignin/)
      await shoot(page, `${strategy}-wrong-password`)
      await page.goto(demo.origin + path)
      expect(await page.locator("#session").innerText()).toBe("null")
    })

    test("comes back to the sign-in page when the person does not want to", async () => {
      const page = await visit(path)
      await page.getByRole("button", { name: "OpenID" }).click()
      await page.getByRole("button", { name: "Do not sign in" }).click()
      await page.waitForURL(/error=/)
      expect(page.url()).toContain(mount)
    })
  })

  test("keeps a database session in a row, and a sealed one in none", async () => {
    const stored = await visit("/")
    await byPassword(stored, "ada", "bernoulli")
    expect(await rowsOf(stored, "sessions")).toBe(1)
    const sealed = await visit("/jwt")
    await byPassword(sealed, "ada", "bernoulli")
    expect(await rowsOf(sealed, "sessions")).toBe(1)
    await stored.getByRole("button", { name: "Sign out" }).click()
    expect(await rowsOf(stored, "sessions")).toBe(0)
  })

  test("is signed in separately with each strategy", async () => {
    const page = await visit("/")
    await byPassword(page, "ada", "bernoulli")
    await page.getByRole("link", { name: "JWT sessions" }).click()
    expect(await page.locator("#session").innerText()).toBe("null")
    await page.getByRole("link", { name: "Database sessions" }).click()
    expect(await page.locator("#who").innerText()).toBe("Ada Lovelace")
  })

  test("shows events as they happen, without reloading", async () => {
    const watcher = await visit("/")
    const before = await watcher.locator("#events li").count()
    const actor = await visit("/jwt")
    await byPassword(actor, "grace", "nanosecond")
    await watcher.locator("#events li", { hasText: "signIn Grace Hopper by credentials" }).first().waitFor()
    expect(await watcher.locator("#events li").count()).toBeGreaterThan(before)
  })

  test("works without JavaScript", async () => {
    const page = await visit("/", { javaScriptEnabled: false })
    await throughProvider(page, "OpenID", "Alan Turing")
    expect(await page.locator("#who").innerText()).toBe("Alan Turing")
    await page.reload()
    expect(await page.locator("#events").innerText()).toContain("signIn Alan Turing")
  })

  test("offers the built-in pages, too", async () => {
    const page = await visit("/auth/signin?callbackUrl=/")
    await shoot(page, "built-in-sign-in")
    await page.getByRole("button", { name: /OpenID/ }).click()
    await page.getByRole("button", { name: "Ada Lovelace" }).click()
    expect(await page.locator("#who").innerText()).toBe("Ada Lovelace")
  })

  test("looks as it should, light and dark, wide and narrow", async () => {
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

  async function shoot(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: `${screenshots}${name.replaceAll(" ", "-")}.png`, fullPage: true })
  }

  async function throughProvider(page: Page, provider: string, person: string): Promise<void> {
    await page.getByRole("button", { name: `Sign in with ${provider}` }).click()
    await page.getByRole("heading", { name: "Who are you?" }).waitFor()
    await shoot(page, "openid-provider")
    await page.getByRole("button", { name: person }).click()
    await page.locator("#who").waitFor()
  }

  async function byMail(page: Page, address: string): Promise<void> {
    await page.getByRole("textbox", { name: "E-mail address" }).fill(address)
    await page.getByRole("button", { name: "Send a link" }).click()
    await page.getByRole("heading", { name: "Check your email" }).waitFor()
    await openMessage(page, address)
    await page.getByRole("link", { name: "Open the link" }).click()
  }

  async function byCode(page: Page, address: string): Promise<void> {
    await page.getByRole("textbox", { name: "E-mail address" }).fill(address)
    await page.getByRole("button", { name: "Send a link" }).click()
    await page.getByLabel("Code from the email").waitFor()
    await shoot(page, "check-your-email")
    const telephone = await page.context().newPage()
    await openMessage(telephone, address)
    const [code = ""] = /\b\d{6}\b/.exec(await telephone.locator("pre").innerText()) ?? []
    await telephone.close()
    await page.getByLabel("Code from the email").fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  async function openMessage(page: Page, address: string): Promise<void> {
    await page.goto(`${demo.origin}/inbox`)
    await shoot(page, "inbox")
    await page.getByRole("listitem").filter({ hasText: address }).getByRole("link").first().click()
    await shoot(page, "message")
  }

  async function byPassword(page: Page, name: string, password: string): Promise<void> {
    await page.getByRole("textbox", { name: "Name" }).fill(name)
    await page.getByRole("textbox", { name: "Password" }).fill(password)
    await page.getByRole("button", { name: "Sign in with a password" }).click()
    await page.waitForLoadState()
  }

  async function rowsOf(page: Page, table: string): Promise<number> {
    return await page.getByRole("region", { name: table, exact: true }).locator("tbody tr").count()
  }
})
