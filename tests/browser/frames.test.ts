import type { Frame, Page } from "playwright-core"
import { expect, test } from "vitest"
import { inChromium, signIn, who } from "./chromium.js"
import { type Host, openHost } from "./host.js"
import { linkTo } from "./looks.js"
import { anyPage, otherName, pageWith } from "./web.js"

const viewport = { width: 400, height: 640 }

const elements = [
  (url: string) => `<iframe src="${url}"></iframe>`,
  (url: string) => `<object type="text/html" data="${url}"></object>`,
  (url: string) => `<embed type="text/html" src="${url}">`,
]
/** A row of pages for each element, in cells of the size at which each page was measured. */
const grid = `<style>body{margin:0;display:grid;grid:auto-flow 640px/repeat(4,400px)}
iframe,object,embed{border:0;width:400px;height:640px}</style>`

/** Each layer alone keeps a page out of frames. */
const layers = [
  { layer: "X-Frame-Options", mode: "strict", lost: ["content-security-policy", "sec-fetch-dest"] },
  { layer: "the policy", mode: "compatible", lost: ["x-frame-options", "sec-fetch-dest"] },
  { layer: "Sec-Fetch-Dest", mode: "strict", lost: ["x-frame-options", "content-security-policy"] },
] as const

inChromium("a page in a frame", (visit) => {
  test.each(layers)("shows nothing and receives no click, by $layer alone [$mode]", async ({ mode, lost }) => {
    const host = await openHost(mode)
    const evil = await anyPage()
    const { page } = await visit({ viewport })
    await signIn(page, host.origin)
    const targets = await targetsOn(page, host)
    const markup = grid + elements.flatMap((element) => targets.map(({ url }) => element(url))).join("")
    await page.setViewportSize({ width: viewport.width * targets.length, height: viewport.height * elements.length })
    host.lost = lost
    host.seen.length = 0
    for (const around of [evil.origin, otherName(evil.origin), host.origin]) {
      await page.goto(pageWith(around, markup))
      expect(await shownIn(page), around).toEqual([])
      for (const row of elements.keys()) {
        for (const [column, { x, y }] of targets.entries()) {
          await page.mouse.click(x + column * viewport.width, y + row * viewport.height)
        }
      }
    }
    expect(host.seen.filter((line) => !line.startsWith("GET "))).toEqual([])
    host.lost = []
    expect(await who(page, host.origin)).toBe("ada")
  })
})

interface Target {
  readonly url: string
  readonly x: number
  readonly y: number
}

/** The pages, and where a click on each has an effect. */
async function targetsOn(page: Page, host: Host): Promise<readonly Target[]> {
  const paths = ["/auth/signin", "/auth/signout", "/auth/error?error=AccessDenied", await linkTo(host)]
  const targets: Target[] = []
  for (const path of paths) {
    await page.goto(host.origin + path)
    const button = page.locator("button, a.button, h1").last()
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    targets.push({ url: host.origin + path, x: x + width / 2, y: y + height / 2 })
  }
  return targets
}

/** The browser shows nothing, or the page that says so. It has no button. */
const refused = /^(?:$|This page can't be shown here\n)/

/** Reads the text in the frames of the page. The browser's own error pages don't count. */
async function shownIn(page: Page): Promise<readonly string[]> {
  const inner = page.frames().filter((frame) => frame !== page.mainFrame() && !frame.url().startsWith("chrome-error:"))
  const texts = await Promise.all(inner.map(textOf))
  return texts.map((text) => text.trim()).filter((text) => !refused.test(text))
}

async function textOf(frame: Frame): Promise<string> {
  try {
    return String(await frame.evaluate("location.protocol === 'chrome-error:' ? '' : (document.body?.innerText ?? '')"))
  } catch (error) {
    // An `<object>` discards a page that it can't show.
    if (frame.isDetached()) return ""
    throw error
  }
}
