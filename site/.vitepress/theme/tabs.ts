import { onContentUpdated } from "vitepress"
import { onMounted } from "vue"

const key = "latchkey-tabs"
const group = ".vp-code-group, .framework-tabs"
const tab = ".vp-code-group .tabs input, .framework-tabs [role=tab]"

/** Shows the tabs that the reader chose last, on every page: of frameworks and of package managers. */
export function rememberTabs(): void {
  onMounted(() => {
    document.addEventListener("click", rememberClick)
    document.addEventListener("keydown", moveWithArrows)
  })
  onContentUpdated(show)
}

function rememberClick({ target, isTrusted }: MouseEvent): void {
  const chosen = target instanceof Element ? target.closest<HTMLElement>(tab) : null
  // Clicks of `show` aren't trusted.
  if (chosen === null || !isTrusted) return
  remember(nameOf(chosen))
  keepPlace(chosen, show)
}

/** The latest name first. Frameworks and package managers are in one list, because no name is in both. */
function names(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : []
  } catch {
    return []
  }
}

function remember(name: string): void {
  try {
    localStorage.setItem(key, JSON.stringify([name, ...names().filter((other) => other !== name)].slice(0, 20)))
  } catch {
    // A browser may refuse storage. Then each page starts with the first tab.
  }
}

function show(): void {
  const wanted = names()
  for (const each of document.querySelectorAll(group)) {
    const tabs = [...each.querySelectorAll<HTMLElement>(tab)]
    const chosen = wanted.map((name) => tabs.find((one) => nameOf(one) === name)).find((one) => one !== undefined)
    if (chosen instanceof HTMLInputElement && !chosen.checked) chosen.click()
    else if (chosen !== undefined && chosen.role === "tab") select(chosen, tabs)
  }
}

function select(chosen: HTMLElement, tabs: readonly HTMLElement[]): void {
  for (const each of tabs) {
    const isChosen = each === chosen
    each.ariaSelected = String(isChosen)
    each.tabIndex = isChosen ? 0 : -1
    const panel = document.querySelector<HTMLElement>(`#${each.getAttribute("aria-controls")}`)
    if (panel !== null) panel.hidden = !isChosen
  }
}

/** The keys of a list of tabs: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/. */
function moveWithArrows({ key, target }: KeyboardEvent): void {
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0
  if (step === 0 || !(target instanceof HTMLElement) || target.role !== "tab") return
  const tabs = [...(target.parentElement?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])]
  const next = tabs[(tabs.indexOf(target) + step + tabs.length) % tabs.length]
  if (next === undefined) return
  remember(nameOf(next))
  keepPlace(next, show)
  next.focus({ preventScroll: true })
}

/** Other groups of the page change their height, too. */
function keepPlace(element: Element, change: () => void): void {
  const before = element.getBoundingClientRect().top
  change()
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: "instant" })
}

function nameOf(element: HTMLElement): string {
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : element
  return label?.textContent?.trim() ?? ""
}
