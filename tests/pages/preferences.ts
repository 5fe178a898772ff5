import type { Page } from "playwright-core"
import { nameOf } from "./measure.js"

/** What moves although the user prefers that nothing does. */
export function movements(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll("*")].filter((element) => {
    const { transitionDuration, animationDuration } = getComputedStyle(element)
    return [transitionDuration, animationDuration].some((list) => list.split(",").some((time) => parseFloat(time) > 0.001))
  }).map(${nameOf})`)
}

/** Texts that are too light for white paper. Browsers print no backgrounds, unless the page asks for them. */
export function paleTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll("main *")].filter((element) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")
    if (!hasText || !element.checkVisibility()) return false
    const { color, printColorAdjust } = getComputedStyle(element)
    if (printColorAdjust === "exact") return false
    const [red, green, blue] = color.match(/[\\d.]+/g).map(Number)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128
  }).map(${nameOf})`)
}
