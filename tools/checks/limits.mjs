// docs/security/limits.md prints the table of packages/core/src/limits/of-input.ts.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"

const source = join(root, "packages", "core", "src", "limits", "of-input.ts")
const page = join(root, "docs", "security", "limits.md")
const start = "<!-- The table is written by `npm run check -- limits`. -->\n"
const heading = "| Limit | Maximum | Of what | Beyond it |\n| --- | --- | --- | --- |\n"

/** Writes the table, and fails if it was another one. */
export async function checkLimits() {
  const text = readFileSync(page, "utf8")
  const [before, rest] = text.split(start)
  if (rest === undefined) throw new Failure(`${shown(page)}: keep the line ${start.trim()}`)
  const after = rest.replace(/^(?:\s*\|.*\n)*/, "")
  const written = `${before}${start}\n${heading}${rows().join("\n")}\n${after}`
  if (written === text) return
  writeFileSync(page, written)
  throw new Failure(`The table in ${shown(page)} was another one. It's written now: review the difference.`)
}

/** A comment of one line, such as "Cookies in one request. Beyond: 431.", and the constant below it. */
function rows() {
  const code = readFileSync(source, "utf8")
  const found = [...code.matchAll(/^\/\*\* (.+) \*\/\nexport const (\w+)(?:: number)? = ([\d_]+)$/gm)]
  const constants = code.match(/^export const /gm) ?? []
  if (found.length !== constants.length) {
    throw new Failure(`${shown(source)}: give each constant a comment of one line, and a number as its value`)
  }
  return found.map(([, comment = "", name, digits = ""]) => {
    const [what = "", beyond = ""] = comment.split(" Beyond: ")
    return `| \`${name}\` | ${Number(digits.replaceAll("_", "")).toLocaleString("en-US")} | ${what} | ${sentence(beyond)} |`
  })
}

/** @param {string} text */
function sentence(text) {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase())
}
