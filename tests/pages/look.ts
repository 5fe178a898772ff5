import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import pixelmatch from "pixelmatch"
import { encode, type Image } from "./png.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

export const failures: string = join(root, "dist", "pages")

/** A difference in brightness up to this share isn't seen. */
const threshold = 0.06

/** Different pixels that the edges of letters may have from one version of Chromium to the next. */
const maxPixels = 60

/** Compares two pictures. If they differ, writes the actual one and a marked one, and returns where they are. */
export function compare(file: string, expected: Image, actual: Image): string | undefined {
  const path = join(failures, file.replace(/png$/, "actual.png"))
  const diffPath = join(failures, file.replace(/png$/, "diff.png"))
  for (const old of [path, diffPath]) rmSync(old, { force: true })
  const { width, height } = expected
  if (actual.width !== width || actual.height !== height) {
    write(path, actual)
    return `${file}: ${actual.width} × ${actual.height} px instead of ${width} × ${height}; see ${shown(path)}`
  }
  const marked = new Uint8Array(expected.data.length)
  const count = pixelmatch(expected.data, actual.data, marked, width, height, { threshold })
  if (count <= maxPixels) return undefined
  write(path, actual)
  write(diffPath, { width, height, data: marked })
  return `${file}: ${count} pixels differ; see ${shown(path)} and ${shown(diffPath)}`
}

export function write(path: string, image: Image): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, encode(image))
}

function shown(path: string): string {
  return relative(root, path)
}
