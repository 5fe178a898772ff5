import type { Page } from "playwright-core"

const targets = "a[href], button, input:not([type=hidden]), select, textarea, summary"

/** Names an element in a message. */
export const nameOf = `(element) => element.localName + (element.id ? "#" + element.id : "") + " " +
  (element.textContent || element.name || "").trim().slice(0, 40)`

/** What makes the page scroll horizontally at this width, or starts outside of it. */
export function outside(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const limit = scrollWidth > clientWidth ? clientWidth + 1 : Infinity
    const isOut = (element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 1 && element.checkVisibility() && (left < -1 || right > limit)
    }
    const out = [...document.querySelectorAll("main *")].filter(isOut).map(${nameOf})
    return scrollWidth > clientWidth ? ["the page scrolls", ...out] : out
  })()`)
}

/** Targets that are hard to hit: lower than 44 px, or 24 px for links (WCAG 2.2 §2.5.8). A link in a sentence may be lower. */
export function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const small = (element) => {
      if (!element.checkVisibility()) return false
      const isLink = element.localName === "a" && !element.matches(".button")
      const isInSentence = isLink && element.parentElement.textContent.trim() !== element.textContent.trim()
      const isBox = element.matches("[type=checkbox], [type=radio]")
      const { width, height } = element.getBoundingClientRect()
      return !isInSentence && Math.min(width, height) < (isLink || isBox ? 24 : 44)
    }
    return [...document.querySelectorAll(${JSON.stringify(targets)})].filter(small).map(
      (element) => (${nameOf})(element) + ": " + Math.round(element.getBoundingClientRect().height) + " px")
  })()`)
}

/** The elements that the Tab key should reach, in this order. */
export function stops(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('${targets}, [tabindex="0"]')]
    .filter((element) => element.checkVisibility() && element.tabIndex >= 0 && !element.disabled).map(${nameOf})`)
}

export interface Stop {
  readonly name: string
  /** There is a ring around it, and it's in the window. */
  readonly isSeen: boolean
}

/** The element with the focus; `null` if the page has none. */
export function focused(page: Page): Promise<Stop | null> {
  return page.evaluate(`(() => {
    const element = document.activeElement
    if (element === null || element === document.body || element === document.documentElement) return null
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    const { top, bottom } = element.getBoundingClientRect()
    const hasRing = (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) || boxShadow !== "none"
    return { name: (${nameOf})(element), isSeen: hasRing && top >= 0 && bottom <= innerHeight }
  })()`)
}
