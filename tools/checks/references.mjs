import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { capture, Failure } from "../shell.mjs"
import { root, shown, textFiles } from "../workspace.mjs"

/** Documents that aren't in this repository. */
const unknown = [
  /\bspec\/[\w-]+(?:\.md)?/g,
  /\bcomplaints? \d+/gi,
  /\bdesign (?:§|decision)[^.,;)]*/gi,
  /\bdecision \d{1,3}\b/gi,
]
const path =
  /(?<![\w./@~-])(?:docs|tools|packages|tests|bench|examples)\/[\w./-]+\.(?:md|html|json|[cm]?[jt]sx?)(?:#[\w-]+)?/g

/** Checks that links, and file names in comments and messages, lead to something that exists. */
export async function checkReferences() {
  const files = (await textFiles()).filter((file) => !/lock\.(?:json|yaml)$|[\\/]CHANGELOG\.md$/.test(file))
  const problems = [...files.flatMap(problemsIn), ...(await checkLinks(files.filter((file) => file.endsWith(".md"))))]
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** @param {string} file */
function problemsIn(file) {
  // This file contains the patterns.
  if (file === import.meta.filename) return []
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      [...foundIn(line, file)].map((text) => `${shown(file)}:${index + 1} refers to ${text}, which doesn't exist`),
    )
}

/** @param {string} line @param {string} file */
function foundIn(line, file) {
  const names = unknown.flatMap((pattern) => line.match(pattern) ?? [])
  return [...names, ...(line.match(path) ?? []).filter((text) => !isPlaceholder(text) && !leadsSomewhere(text, file))]
}

/** The guides add a provider named Acme. @param {string} text */
function isPlaceholder(text) {
  return text.includes("acme")
}

/** Paths are relative to the root or to the file. @param {string} text @param {string} file */
function leadsSomewhere(text, file) {
  const [name = "", heading] = text.split("#")
  const target = [root, dirname(file)].map((folder) => join(folder, name)).find(existsSync)
  return target !== undefined && (heading === undefined || headingsIn(target).includes(heading))
}

/** The anchors that GitHub generates for headings. @param {string} file */
export function headingsIn(file) {
  return [...readFileSync(file, "utf8").matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  )
}

/** @param {string[]} pages */
async function checkLinks(pages) {
  const plugins = ["--use", "remark-gfm", "--use", "remark-validate-links=repository:false"]
  const flags = ["--no-config", "--no-color", "--frail", "--quiet", "--no-stdout"]
  const { code, output } = await capture("remark", [...plugins, ...flags, ...pages.map(shown)], { cwd: root })
  return code === 0 ? [] : [output.trim()]
}
