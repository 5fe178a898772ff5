import assert from "node:assert/strict"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { differenceOf } from "../pages/baseline.js"
import { fontFile, fontOrigin, fontStyle } from "../pages/fonts.js"

const folder = fileURLToPath(new URL("pictures", import.meta.url))

/** CSS pixels around the component, which show the background of the page. */
const margin = 24

/** The contrast that text needs (WCAG 2.2 §1.4.3). */
const enough = 4.5

/** Whether each text of the sign-in component can be read, and the component looks as in its picture. */
export async function assertLook(page: Page, file: string, isWriting: boolean): Promise<void> {
  const card = page.locator("[data-slot=sign-in]")
  await card.getByRole("button").first().waitFor()
  await page.route(`${fontOrigin}/**`, (route) =>
    route.fulfill({
      path: fontFile(new URL(route.request().url())),
      headers: { "access-control-allow-origin": "*" },
    }),
  )
  await page.addStyleTag({ content: fontStyle })
  await page.evaluate("document.fonts.ready.then(() => undefined)")
  const faint = (await contrastsIn(page)).filter(({ contrast }) => contrast < enough)
  assert.deepEqual(faint, [])
  const { x, y, width, height } = (await card.boundingBox()) ?? assert.fail("The component isn't visible")
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)]
  const clip = { x: left, y: top, width: x + width + margin - left, height: y + height + margin - top }
  const take = () => page.screenshot({ clip, animations: "disabled", caret: "hide" })
  assert.deepEqual(await differenceOf({ folder, file, isWriting, take }), [])
}

interface Contrast {
  readonly text: string
  readonly contrast: number
}

/** The contrast between each text and what is behind it, computed from the styles. A canvas knows every form of color. */
function contrastsIn(page: Page): Promise<readonly Contrast[]> {
  return page.evaluate(`(() => {
    const card = document.querySelector("[data-slot=sign-in]")
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
    const mixed = (colors) => {
      canvas.clearRect(0, 0, 1, 1)
      for (const color of colors) {
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
    }
    const luminance = (color) => {
      const [red, green, blue] = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const isText = (node) => node.nodeType === 3 && node.data.trim() !== ""
    const behind = (element) => {
      const { backgroundColor } = getComputedStyle(element)
      return element.parentElement === null ? ["#fff", backgroundColor] : [...behind(element.parentElement), backgroundColor]
    }
    return [...card.querySelectorAll("*")]
      .filter((element) => element.checkVisibility() && [...element.childNodes].some(isText))
      .map((element) => {
        const back = behind(element)
        const [one, other] = [mixed([...back, getComputedStyle(element).color]), mixed(back)].map(luminance)
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
        return { text: element.textContent.trim(), contrast }
      })
  })()`)
}
