import type { Page } from "playwright-core"
import { focused, type Stop, stops } from "./measure.js"

/** Walks through the page with the Tab key. Returns what's wrong: another order, no visible focus, or a trap. */
export async function walk(page: Page): Promise<readonly string[]> {
  const wanted = await stops(page)
  const reached = await tabThrough(page, 2 * wanted.length + 2)
  // A page may start in the middle, where its focus is.
  const first = reached.findIndex(({ name }) => name === wanted[0])
  const round = reached.slice(first, first + wanted.length)
  const hidden = round.filter(({ isSeen }) => !isSeen).map(({ name }) => `${name}: the focus can't be seen`)
  const order = round.map(({ name }) => name).join(", ")
  return order === wanted.join(", ") ? hidden : [`${order} instead of ${wanted.join(", ")}`, ...hidden]
}

async function tabThrough(page: Page, presses: number): Promise<readonly Stop[]> {
  const reached: Stop[] = []
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press("Tab")
    const stop = await focused(page)
    if (stop !== null) reached.push(stop)
  }
  return reached
}
