import { type Browser, type BrowserContext, chromium, type Page, type Route } from "playwright-core"
import { afterAll, beforeAll, describe, inject } from "vitest"
import type { Screen } from "./catalogue.js"
import { drawing } from "./drawing.js"
import { fontFile, fontOrigin, fontStyle } from "./fonts.js"

const executablePath = inject("chromium")

export interface Look {
  readonly colorScheme: "light" | "dark"
  readonly width: 360 | 1280
}

export async function setLook(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: width === 360 ? 640 : 800 })
  await page.emulateMedia({ colorScheme, media: "screen", forcedColors: "none", reducedMotion: "no-preference" })
  await settled(page)
}

/** Colors move to those of another preference. Nothing waits for the end. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
}

/** A page of Chromium that shows screens of the catalogue, one after another. */
export interface Stage {
  readonly page: Page
  /** Opens a screen. No request leaves the process. */
  show(screen: Screen): Promise<void>
  /** Method and URL of each request since the last `show`, that of the page first, without those for fonts. */
  readonly asked: readonly string[]
}

/** Registers tests that share one page of Chromium. */
export function onStage(name: string, tests: (stage: () => Stage) => void): void {
  describe.skipIf(executablePath === undefined)(`${name} (needs Chromium)`, () => {
    let browser: Browser | undefined
    let stage: Stage | undefined

    beforeAll(async () => {
      browser = await chromium.launch({
        ...(executablePath === undefined ? {} : { executablePath }),
        ...drawing,
      })
      stage = await stageIn(await browser.newContext({ bypassCSP: true, deviceScaleFactor: 1 }))
    })

    afterAll(async () => browser?.close())

    tests(() => {
      if (stage === undefined) throw new Error("The browser was not started")
      return stage
    })
  })
}

async function stageIn(context: BrowserContext): Promise<Stage> {
  let current: Screen | undefined
  const asked: string[] = []
  // A countdown would show how long a test takes, and a page that submits itself would be gone.
  await context.addInitScript("setInterval = () => 0; HTMLFormElement.prototype.submit = () => undefined")
  await context.route("**", async (route) => {
    const url = new URL(route.request().url())
    if (url.origin === fontOrigin)
      return route.fulfill({ path: fontFile(url), headers: { "access-control-allow-origin": "*" } })
    asked.push(`${route.request().method()} ${url.href}`)
    return asked.length === 1 && current !== undefined ? sendPage(route, current) : route.fulfill({ status: 204 })
  })
  const page = await context.newPage()
  return {
    page,
    asked,
    async show(screen) {
      current = screen
      asked.length = 0
      await page.goto(screen.url)
      await page.evaluate("document.fonts.ready.then(() => undefined)")
    },
  }
}

async function sendPage(route: Route, { status, headers, html }: Screen): Promise<void> {
  const { "set-cookie": _, ...kept } = headers
  await route.fulfill({
    status,
    headers: kept,
    body: html.replace("</head>", () => `<style>${fontStyle}</style></head>`),
  })
}
