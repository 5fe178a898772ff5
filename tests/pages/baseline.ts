import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { compare, write } from "./look.js"
import { decode, type Image } from "./png.js"

const folder = fileURLToPath(new URL("baselines", import.meta.url))

/** `npm test -- tests/pages/matrix.long --write-pages` replaces the baselines. */
const isWriting = process.env["LATCHKEY_PAGES"] === "write"

/** The pictures in the folder, as `signin-1/en-light-360.png`. */
export function baselines(): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
  return paths.filter((path) => path.endsWith(".png")).map((path) => path.replaceAll("\\", "/"))
}

/** Compares the page with its baseline. Returns what's different, in words. */
export function difference(page: Page, file: string): Promise<readonly string[]> {
  return differenceOf({ folder, file, isWriting, take: () => picture(page) })
}

export interface Picture {
  /** Of the baselines. */
  readonly folder: string
  readonly file: string
  /** Replaces the baseline. */
  readonly isWriting: boolean
  take(): Promise<Buffer>
}

/** Compares a picture with its baseline. Returns what's different, in words. */
export async function differenceOf({ folder, file, isWriting, take }: Picture): Promise<readonly string[]> {
  const path = join(folder, file)
  if (isWriting) {
    write(path, await steady(take))
    return []
  }
  if (!existsSync(path)) return [`${file}: there is no baseline in ${folder}. Write it first`]
  const expected = decode(readFileSync(path))
  // After a change of the color scheme, Chromium may draw one frame without some of the text.
  for (let attempt = 1; ; attempt++) {
    const problem = compare(file, expected, decode(await take()))
    if (problem === undefined) return []
    if (attempt === 3) return [problem]
  }
}

async function steady(take: Picture["take"]): Promise<Image> {
  for (let before = await take(); ; ) {
    const now = await take()
    if (now.equals(before)) return decode(now)
    before = now
  }
}

function picture(page: Page): Promise<Buffer> {
  return page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" })
}
