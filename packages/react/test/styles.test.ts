import { readFile } from "node:fs/promises"
import { transform } from "lightningcss"
import { describe, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"

const styles = await readFile(new URL("../src/styles.css", import.meta.url), "utf8")

/** The oldest browsers of Next.js 16. Vite's are newer, but also lack `light-dark()`. */
const targets = { chrome: 111 << 16, firefox: 111 << 16, safari: (16 << 16) | (4 << 8) }

function lowered(css: string): string {
  return transform({ filename: "styles.css", code: Buffer.from(css), targets, minify: true }).code.toString()
}

const light = { background: "rgb(255, 255, 255)", text: "rgb(24, 24, 27)" }
const dark = { background: "rgb(21, 24, 30)", text: "rgb(242, 242, 243)" }

inChromium("the style sheet", (visit) => {
  describe.each([
    ["as it is", (css: string) => css],
    ["lowered by Lightning CSS for older browsers", lowered],
  ])("%s", (_, bundled) => {
    test.each([
      ["a page that sets no `color-scheme`", "", "", light],
      ["a page that is light", ":root { color-scheme: light }", "", light],
      ["a page that is dark", ":root { color-scheme: dark }", "", dark],
      ["a page that follows a user who prefers dark", ":root { color-scheme: light dark }", "", dark],
      ["a dark class", "", "dark", dark],
    ])("%s has readable colors", async (_page, css, classes, expected) => {
      const { page } = await visit({ colorScheme: "dark" })
      await page.setContent(`<!DOCTYPE html><style>${bundled(styles + css)}</style>
        <div class="${classes}"><div class="latchkey latchkey-sign-in">Sign in</div></div>`)
      const card = page.locator(".latchkey-sign-in")
      const color = (property: string) =>
        card.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
      expect({ background: await color("background-color"), text: await color("color") }).toEqual(expected)
    })
  })
})
