// How long files and functions are. A report: a clear reason beats the guide numbers, so that only oxlint's limits fail.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { capture } from "../shell.mjs"
import { filesBelow, packages, root, shown } from "../workspace.mjs"

const guide = { file: 250, function: 40 }

/** @typedef {{ where: string, lines: number }} Size */

export async function reportSizes() {
  const sources = packages()
    .flatMap(({ folder }) => filesBelow(join(folder, "src")))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
  const files = sources.map((path) => ({
    where: shown(path),
    lines: readFileSync(path, "utf8").split("\n").length - 1,
  }))
  print("files", files, guide.file)
  print("functions", await functionsIn(sources), guide.function)
}

/** oxlint has a parser, and counts every function when the limit is nought. @param {string[]} paths @returns {Promise<Size[]>} */
async function functionsIn(paths) {
  const config = join(tmpdir(), `latchkey-sizes-${process.pid}.json`)
  const rule = ["error", { max: 0, skipBlankLines: true, skipComments: true }]
  writeFileSync(
    config,
    JSON.stringify({ categories: { correctness: "off" }, rules: { "max-lines-per-function": rule } }),
  )
  try {
    const { stdout } = await capture("oxlint", ["-c", config, "--format=json", ...paths], { cwd: root })
    /** @type {{ diagnostics: { message: string, help?: string, filename: string, labels: { span: { line: number } }[] }[] }} */
    const { diagnostics } = JSON.parse(stdout)
    return diagnostics.flatMap(({ message, help, filename, labels }) => {
      const lines = /\((\d+)\)/.exec(`${message} ${help ?? ""}`)?.[1]
      return lines === undefined ? [] : [{ where: `${filename}:${labels[0]?.span.line ?? 1}`, lines: Number(lines) }]
    })
  } finally {
    rmSync(config, { force: true })
  }
}

/** @param {string} what @param {Size[]} sizes @param {number} limit */
function print(what, sizes, limit) {
  const sorted = sizes.toSorted((a, b) => a.lines - b.lines)
  const at = (/** @type {number} */ share) => sorted[Math.floor((sorted.length - 1) * share)]?.lines ?? 0
  console.log(`  ${sorted.length} ${what}: median ${at(0.5)} lines, 90 % up to ${at(0.9)}, longest ${at(1)}`)
  for (const { where, lines } of sorted.filter((size) => size.lines > limit).toReversed()) {
    console.log(`    ${lines} lines, guide ${limit}: ${where}`)
  }
}
