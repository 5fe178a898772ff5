import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { compare, write } from "./look.js"
import { decode, type Image } from "./png.js"

const folder = fileURLToPath(new URL("baselines", import.meta.url))

/** `npm test -- tests/pages/matrix.long --write-pages` replaces the baselines. */
const isWriting = process.env["LATCHKEY_PAGES"] === "write"

/** Compares the page with its baseline. Returns what's different, in words. */
export async function difference(page: Page, file: string): Promise<readonly string[]> {
  const path = join(folder, file)
  if (isWriting) {
    write(path, await steadyPicture(page))
    return []
  }
  if (!existsSync(path)) return [`${file}: there is no baseline. Write it with --write-pages`]
  const expected = decode(readFileSync(path))
  // After a change of the color scheme, Chromium may draw one frame without some of the text.
  for (let attempt = 1; ; attempt++) {
    const problem = compare(file, expected, decode(await picture(page)))
    if (problem === undefined) return []
    if (attempt === 3) return [problem]
  }
}

async function steadyPicture(page: Page): Promise<Image> {
  for (let before = await picture(page); ; ) {
    const now = await picture(page)
    if (now.equals(before)) return decode(now)
    before = now
  }
}

function picture(page: Page): Promise<Buffer> {
  return page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" })
}
