import { setTimeout } from "node:timers/promises"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, inject, onTestFinished } from "vitest"

const executablePath = inject("chromium")
const flags =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"

/** Milliseconds. A busy machine doesn't reach it, and it is less than the limit of a test, which can't say what it waited for. */
const waitLimit = 60_000

/** Milliseconds. Chromium may refuse to close a page during a navigation. The browser closes it after the last test. */
const closeLimit = 5_000

export interface Visitor {
  readonly page: Page
  /** Errors, warnings and policy violations in the console. */
  readonly complaints: string[]
  /** URLs that any page of this visitor requested, except `data:` URLs. */
  readonly asked: string[]
}

export type Visit = (options?: BrowserContextOptions) => Promise<Visitor>

/** Registers tests that need a browser. `visit` opens a new context without cookies. */
export function inChromium(name: string, tests: (visit: Visit) => void): void {
  describe.skipIf(executablePath === undefined)(`${name} (needs Chromium)`, () => {
    let browser: Browser | undefined

    beforeAll(async () => {
      browser = await chromium.launch({
        ...(executablePath === undefined ? {} : { executablePath }),
        args: flags.split(" "),
      })
    })

    afterAll(async () => browser?.close())

    tests(async (options = {}) => {
      if (browser === undefined) throw new Error("The browser was not started")
      return visitorIn(browser, options)
    })
  })
}

async function visitorIn(browser: Browser, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 800, height: 700 }, ...options })
  context.setDefaultTimeout(waitLimit)
  onTestFinished(async () => Promise.race([context.close(), setTimeout(closeLimit, undefined, { ref: false })]))
  const [complaints, asked] = [new Array<string>(), new Array<string>()]
  context.on("request", (request) => {
    if (!request.url().startsWith("data:")) asked.push(request.url())
  })
  context.on("weberror", (error) => complaints.push(error.error().message))
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return
    // A browser asks for an icon on its own, and a page needs none.
    if (!message.location().url.endsWith("/favicon.ico")) complaints.push(`${message.text()} ${message.location().url}`)
  })
  await context.addInitScript(`addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    console.error("violation of " + effectiveDirective + " by " + blockedURI))`)
  return { page: await context.newPage(), complaints, asked }
}

/** Signs in with a password, and waits until the browser is back. */
export async function signIn(page: Page, origin: string, path = "/"): Promise<void> {
  await page.goto(`${origin}/auth/signin?callbackUrl=${encodeURIComponent(path)}`)
  // Of several forms, one is open.
  const summary = page.locator("summary", { hasText: "password" })
  if (await summary.isVisible()) await summary.click()
  await page.getByLabel("Name").fill("ada")
  await page.getByLabel("Password").fill("open sesame")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.waitForURL(origin + path)
}

/** Reads the signed-in user from the page of the application. */
export async function who(page: Page, origin: string): Promise<string> {
  await page.goto(`${origin}/`)
  return page.locator("#who").innerText()
}
