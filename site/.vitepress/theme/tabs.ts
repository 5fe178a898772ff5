import type { Router } from "vitepress"
import { nextTick, onMounted, onUnmounted, type Ref, ref } from "vue"

const key = "latchkey-tabs"
const changed = new EventTarget()

/** The chosen tabs, the latest first: frameworks and package managers are in one list, because no name is in both. */
function chosen(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : []
  } catch {
    return []
  }
}

export function choose(name: string): void {
  const names = [name, ...chosen().filter((other) => other !== name)].slice(0, 20)
  try {
    localStorage.setItem(key, JSON.stringify(names))
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  changed.dispatchEvent(new CustomEvent("choose", { detail: names }))
}

/** The tab that a group with these names shows. */
export function useTab(names: readonly string[]): Ref<string> {
  const current = ref(names[0] ?? "")
  const update = (): void => {
    current.value = chosen().find((name) => names.includes(name)) ?? current.value
  }
  onMounted(() => {
    update()
    changed.addEventListener("choose", update)
  })
  onUnmounted(() => changed.removeEventListener("choose", update))
  return current
}

/** Code groups of VitePress remember their tab too, on every page. */
export function rememberTabs(router: Router): void {
  document.addEventListener("click", ({ target, isTrusted }) => {
    if (!isTrusted || !(target instanceof HTMLInputElement) || target.closest(".vp-code-group") === null) return
    const top = target.closest(".vp-code-group")?.getBoundingClientRect().top ?? 0
    choose(nameOf(target))
    // The groups above may have changed their height.
    requestAnimationFrame(() => {
      const now = target.closest(".vp-code-group")?.getBoundingClientRect().top ?? top
      scrollBy({ top: now - top, behavior: "instant" })
    })
  })
  changed.addEventListener("choose", show)
  const after = router.onAfterRouteChange
  router.onAfterRouteChange = async (to) => {
    await after?.(to)
    await nextTick()
    show()
  }
  addEventListener("load", show)
}

function show(): void {
  const names = chosen()
  for (const group of document.querySelectorAll(".vp-code-group")) {
    const inputs = [...group.querySelectorAll<HTMLInputElement>(".tabs input")]
    const wanted = names.map((name) => inputs.find((input) => nameOf(input) === name)).find((input) => input !== undefined)
    if (wanted?.checked === false) wanted.click()
  }
}

function nameOf(input: HTMLInputElement): string {
  return input.labels?.[0]?.textContent?.trim() ?? ""
}
