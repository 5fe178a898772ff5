// Each statement in docs/specification names the test that proves it, as `["title"](path)` or `["title"][label]`.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Failure } from "../shell.mjs"
import { filesBelow, root, shown } from "../workspace.mjs"

/** `["title"](path)` or `["title"][label]`; brackets, pipes and backslashes in the title are escaped. */
const citation = /\["((?:[^\]\\]|\\.)+)"\](?:\(([^)]+)\)|\[([^\]]+)\])/g
const definition = /^\[([^\]]+)\]: (\S+)$/gm

export async function checkSpecification() {
  const pages = filesBelow(join(root, "docs", "specification")).filter((path) => path.endsWith(".md"))
  const problems = pages.flatMap(problemsIn)
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** @param {string} page */
function problemsIn(page) {
  const uncited = sectionsWithoutTest(readFileSync(page, "utf8")).map((problem) => `${shown(page)}: ${problem}`)
  return [...uncited, ...citationProblems(page)]
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
