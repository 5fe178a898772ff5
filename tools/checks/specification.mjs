// Each entry in docs/specification has an id, links to what the user docs say, a short sentence for what they don't say, and
// the tests that prove it, as `["title"](path)` or `["title"][label]`:
//
//     - `flows.code` [email](../email.md#how-links-and-codes-work): ["the code uses up the link"][email-code]
import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Failure } from "../shell.mjs"
import { filesBelow, root, shown } from "../workspace.mjs"
import { headingsIn } from "./references.mjs"

/** `["title"](path)` or `["title"][label]`; brackets, pipes and backslashes in the title are escaped. */
const citation = /\["((?:[^\]\\]|\\.)+)"\](?:\(([^)]+)\)|\[([^\]]+)\])/g
const definition = /^\[([^\]]+)\]: (\S+)$/gm

const entry = /^- `([^`]+)`(.*)$/
const link = /\[[^\]]*\]\(([^)#]+\.md)(#[^)]*)?\)/g

/** A longer explanation belongs in the user docs. */
const longestSentence = 30

export async function checkSpecification() {
  const pages = filesBelow(join(root, "docs", "specification")).filter((path) => path.endsWith(".md"))
  const problems = [...pages.flatMap(problemsIn), ...pages.flatMap(citationProblems), ...repeatedIds(pages)]
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** @param {string} page */
export function problemsIn(page) {
  const text = readFileSync(page, "utf8")
  return [...sectionsWithoutTest(text), ...entryProblems(page, text)].map((problem) => `${shown(page)}: ${problem}`)
}

/** @param {string} page @param {string} text */
function entryProblems(page, text) {
  const name = basename(page, ".md")
  return text.split("\n").flatMap((line) => {
    const [, id, content = ""] = line.match(entry) ?? []
    if (id === undefined) return line.search(citation) === -1 ? [] : [`an entry without an id cites a test: ${line}`]
    const problems = [...linkProblems(page, content)]
    if (!new RegExp(`^${name}\\.[a-z0-9]+(?:-[a-z0-9]+)*$`).test(id)) problems.push(`name it \`${name}.…\``)
    if (content.search(citation) === -1) problems.push("cite the test that proves it")
    if (wordsOf(content) > longestSentence) problems.push(`shorten it to ${longestSentence} words`)
    return problems.map((problem) => `${id}: ${problem}`)
  })
}

/** @param {string} content */
function wordsOf(content) {
  return (
    content
      .replace(citation, "")
      .replace(link, "")
      .match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0
  )
}

/** Links to pages that don't exist, and to none of their headings. @param {string} page @param {string} content */
function linkProblems(page, content) {
  return [...content.matchAll(link)].flatMap(([, path = "", anchor = ""]) => {
    const target = join(dirname(page), path)
    if (!existsSync(target)) return [`${path} does not exist`]
    return headingsIn(target).includes(anchor.slice(1))
      ? []
      : [`${path} has no heading ${anchor || "that the link names"}`]
  })
}

/** @param {readonly string[]} pages */
export function repeatedIds(pages) {
  const ids = pages.flatMap((page) =>
    readFileSync(page, "utf8")
      .split("\n")
      .flatMap((line) => line.match(entry)?.[1] ?? []),
  )
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  return [...repeated].map((id) => `several entries have the id ${id}: each id is used once`)
}

/** Citations of tests that don't exist or can't be read. @param {string} page */
export function citationProblems(page) {
  const text = readFileSync(page, "utf8")
  const labels = new Map([...text.matchAll(definition)].map(([, label = "", path = ""]) => [label, path]))
  const problems = [...unusedLabels(text, labels), ...malformedCitations(text)]
  for (const [, title = "", path, label = ""] of text.matchAll(citation)) {
    const target = path ?? labels.get(label)
    if (target === undefined)
      problems.push(`[${label}] has no path: add a line "[${label}]: path" at the end of the page`)
    else problems.push(...problemsOf(join(dirname(page), target), title.replace(/\\(.)/g, "$1")))
  }
  return problems.map((problem) => `${shown(page)}: ${problem}`)
}

/** @param {string} file @param {string} title */
function problemsOf(file, title) {
  if (!existsSync(file)) return [`${shown(file)} does not exist: correct the path of the test`]
  const source = readFileSync(file, "utf8")
  const found = ['"', "'", "`"].some((quote) => source.includes(quote + title.replaceAll(quote, `\\${quote}`) + quote))
  return found ? [] : [`${shown(file)} has no test "${title}": cite the title as it is in the source`]
}

/** A title with a bracket that isn't escaped would be skipped. @param {string} text */
function malformedCitations(text) {
  return text.split("\n").flatMap((line, index) => {
    const ends = line.match(/"\][([]/g)?.length ?? 0
    const whole = line.match(citation)?.length ?? 0
    return ends === whole ? [] : [`line ${index + 1} has a citation that can't be read: escape brackets in its title`]
  })
}

/** @param {string} text */
function sectionsWithoutTest(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.search(citation) === -1)
    .map((section) => `"${section.split("\n", 1)[0]}" cites no test: add the test that proves it`)
}

/** @param {string} text @param {ReadonlyMap<string, string>} labels */
function unusedLabels(text, labels) {
  return [...labels.keys()]
    .filter((label) => !text.includes(`][${label}]`))
    .map((label) => `[${label}] is not used: remove the line that defines it`)
}
