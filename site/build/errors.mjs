// A page for each error: what docs/errors.md, docs/troubleshooting.md and the source say about it.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../../tools/shell.mjs"
import { filesBelow, packages, root } from "../../tools/workspace.mjs"
import { addressOf, anchorOf } from "./pages.mjs"

/**
 * @typedef {import("./pages.mjs").Page} Page
 * @typedef {object} Fault
 * @property {string} name such as `AccessDenied`
 * @property {string} [says] the comment of its class
 * @property {"error" | "signIn"} [kind]
 * @property {Row} [row] its row of the codes in docs/errors.md
 * @property {readonly string[]} messages
 *
 * @typedef {{ cells: readonly string[], codes: readonly string[] }} Row
 */

const errors = "docs/errors.md"
const troubleshooting = "docs/troubleshooting.md"

/** @param {readonly Page[]} pages @param {(source: string, href: string) => string | undefined} resolve @returns {Page[]} */
export function errorPages(pages, resolve) {
  const classes = classesIn(readFileSync(join(root, "packages", "core", "src", "errors.ts"), "utf8"))
  const rows = rowsOf(textOf(pages, errors), "Codes in the URL")
  const names = [...new Set([...rows.flatMap(({ codes }) => codes), ...classes.keys()])]
  const messages = messagesOf(names)
  return names
    .toSorted((a, b) => a.localeCompare(b, "en"))
    .map((name) => {
      const row = rows.find(({ codes }) => codes.includes(name))
      const fault = { name, ...classes.get(name), messages: messages.get(name) ?? [], ...(row && { row }) }
      return { source: "", path: `errors/${name}.md`, title: name, text: textFor(fault, pages, resolve) }
    })
}

/** @param {readonly Page[]} pages @param {string} source */
function textOf(pages, source) {
  const page = pages.find((page) => page.source === source)
  if (page === undefined) throw new Failure(`${source} is missing. The pages of the errors are made from it.`)
  return page.text
}

/** @param {string} source @returns {Map<string, { says: string, kind: "error" | "signIn" }>} */
function classesIn(source) {
  const found = source.matchAll(
    /\/\*\* (?<says>[^\n]+) \*\/\nexport class (?<name>\w+) extends (?<base>\w+) \{\n  static override type = /g,
  )
  return new Map(
    [...found].map(({ groups = {} }) => [
      groups["name"] ?? "",
      { says: groups["says"] ?? "", kind: groups["base"] === "SignInError" ? "signIn" : "error" },
    ]),
  )
}

/** The rows of the table in a section. The codes are those of the first cell. @param {string} text @param {string} section @returns {Row[]} */
function rowsOf(text, section) {
  const body = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${section}\n`)) ?? ""
  const rows = [...body.matchAll(/^\| (.+) \|$/gm)].slice(2).map(([, row = ""]) => {
    const cells = row.split(/ \| /)
    const codes = [...(cells[0] ?? "").matchAll(/`(?:code=)?([A-Z]\w+)`/g)].map(([, code = ""]) => code)
    return { cells, codes: codes.length === 2 && cells[0]?.includes("code=") ? codes.slice(1) : codes }
  })
  if (rows.length === 0) throw new Failure(`${errors} has no table in the section "${section}"`)
  return rows
}

/** The messages that the packages throw with each class, with `…` for what they insert. @param {readonly string[]} names */
function messagesOf(names) {
  const sources = packages()
    .flatMap(({ folder }) => filesBelow(join(folder, "src")))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => readFileSync(path, "utf8"))
  const known = new Set(names)
  /** @type {Map<string, Set<string>>} */
  const messages = new Map()
  for (const source of sources) {
    for (const match of source.matchAll(
      /new (?<name>[A-Z]\w+)\(\s*(?<text>(?:(?:"[^"\n]*"|`[^`]*`)\s*\+?\s*)+)[,)]/g,
    )) {
      const { name = "", text = "" } = match.groups ?? {}
      if (!known.has(name)) continue
      const parts = [...text.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, plain, template]) => plain ?? template ?? "")
      const message = parts.join("").replaceAll(/\$\{[^}]*\}/g, "…")
      // A message that begins with a value can't be recognized.
      if (/^[^…]+ [^…]+ [^…]+ [^…]/.test(message)) messages.set(name, (messages.get(name) ?? new Set()).add(message))
    }
  }
  return new Map([...messages].map(([name, texts]) => [name, [...texts].toSorted()]))
}

/** @param {Fault} fault @param {readonly Page[]} pages @param {(source: string, href: string) => string | undefined} resolve */
function textFor(fault, pages, resolve) {
  const fixes = fixesFor(fault.name, textOf(pages, troubleshooting)).map((fix) =>
    relinked(fix, troubleshooting, resolve),
  )
  return [
    "---\neditLink: false\n---",
    `# ${fault.name}`,
    introduction(fault, resolve),
    facts(fault),
    fixes.length > 0 &&
      `## How to fix it\n\n${fixes.length === 1 ? fixes[0] : fixes.map((fix) => `- ${fix}`).join("\n")}`,
    fault.name === "Configuration" &&
      `## Causes\n\n${relinked(causes(textOf(pages, troubleshooting)), troubleshooting, resolve)}`,
    fault.says !== undefined && `## In your code\n\n${example(fault)}`,
    fault.messages.length > 0 &&
      `## Messages in the log\n\nA … stands for a value.\n\n${fault.messages.map((text) => `- ${text}`).join("\n")}`,
    `## See also\n\n${seeAlso(fault, pages)}`,
  ]
    .filter((part) => part !== false && part !== "")
    .join("\n\n")
    .concat("\n")
}

/** @param {Fault} fault @param {(source: string, href: string) => string | undefined} resolve */
function introduction({ name, says, row }, resolve) {
  // A row for several codes has one sentence for each, in their order.
  const what = row?.cells.at(-1) ?? ""
  const own =
    row !== undefined && row.codes.length > 1 ? sentence(what.split("; ")[row.codes.indexOf(name)] ?? "") : what
  const told = relinked(own, errors, resolve)
  return says === undefined || told.startsWith(says) ? told : `${says}${told === "" ? "" : `\n\n${told}`}`
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`
}

/** @param {Fault} fault */
function facts({ name, kind, row, says }) {
  const inUrl = row?.cells[0]?.includes("code=") ? `error=Configuration&code=${name}` : `error=${name}`
  const seen =
    row === undefined
      ? [["Page", kind === "signIn" ? "sign-in" : "error"]]
      : [
          ["In the URL", `\`${inUrl}\``],
          ["Page", row.cells[1]],
        ]
  const thrown =
    says === undefined
      ? []
      : [
          ["Type in the log", `\`${name}\``],
          ["Class", `\`${name}\` of \`@latchkey/core/errors\``],
        ]
  return ["| | |", "| --- | --- |", ...[...seen, ...thrown].map((line) => `| ${line.join(" | ")} |`)].join("\n")
}

/** @param {Fault} fault */
function example({ name }) {
  return `\`\`\`ts
import { ${name} } from "@latchkey/core/errors"

export function is${name}(error: unknown): boolean {
  return error instanceof ${name}
}
\`\`\``
}

/** The fixes of the rows that name the code. @param {string} name @param {string} text */
function fixesFor(name, text) {
  const rows = [...text.matchAll(/^\| (?<symptom>.+?) \| (?<fix>.+) \|$/gm)]
  return rows
    .filter(({ groups }) => new RegExp(`\`(?:code=)?${name}\``).test(groups?.["symptom"] ?? ""))
    .map(({ groups }) => groups?.["fix"] ?? "")
}

/** The section about the error that has many causes. @param {string} text */
function causes(text) {
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith("## It says error=Configuration\n"))
  if (section === undefined) throw new Failure(`${troubleshooting} has no section "It says error=Configuration"`)
  return section.replace(/^.*\n+/, "").trim()
}

/** Links from another page. @param {string} markdown @param {string} source @param {(source: string, href: string) => string | undefined} resolve */
function relinked(markdown, source, resolve) {
  return markdown.replaceAll(/\]\(([^)\s]+)\)/g, (_, href) => {
    const own = href.startsWith("#") ? `${source.replace(/.*\//, "")}${href}` : href
    return `](${resolve(source, own) ?? own})`
  })
}

/** @param {Fault} fault @param {readonly Page[]} pages */
function seeAlso({ name }, pages) {
  const guides = pages.filter(({ source }) => /^docs\/[\w-]+\.md$/.test(source) && !/differences|README/.test(source))
  const places = guides.flatMap(({ text, path, title }) => {
    const sections = text.split(/^(?=##? )/m).filter((section) => section.includes(`\`${name}\``))
    return sections.slice(0, 2).map((section) => {
      const heading = /^## (.+)$/m.exec(section)?.[1]
      const anchor = heading === undefined ? "" : `#${anchorOf(heading)}`
      return `- [${title}${heading === undefined ? "" : `: ${heading}`}](/${path}${anchor})`
    })
  })
  return [...new Set([...places, `- [Errors](${addressOf("errors.md")}), [Troubleshooting](/troubleshooting)`])]
    .slice(0, 9)
    .join("\n")
}
