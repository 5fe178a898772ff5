// The pages as plain Markdown: one beside each page, an index (llms.txt), and all in one file (llms-full.txt).
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { addressOf, summaryOf } from "./pages.mjs"

/**
 * @typedef {import("./pages.mjs").Page} Page
 * @typedef {{ text: string, pages: readonly Page[], optional?: boolean }} Section
 */

/**
 * @param {string} folder of the built site
 * @param {readonly Section[]} sections
 * @param {(source: string, href: string) => string | undefined} resolve
 */
export function writeMarkdown(folder, sections, resolve) {
  const texts = new Map(sections.flatMap(({ pages }) => pages.map((page) => [page, markdownOf(page, resolve)])))
  for (const [{ path }, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  writeFileSync(join(folder, "llms.txt"), index(sections))
  const whole = sections.filter(({ optional }) => optional !== true).flatMap(({ pages }) => pages)
  writeFileSync(
    join(folder, "llms-full.txt"),
    whole.map((page) => `<!-- ${addressOf(page.path)} -->\n\n${texts.get(page) ?? ""}`).join("\n\n"),
  )
}

/** @param {Page} page @param {(source: string, href: string) => string | undefined} resolve */
function markdownOf({ source, text }, resolve) {
  return text
    .replace(/^---\n.*?\n?---\n+/s, "")
    .replaceAll(/^<\/?div\b[^\n]*\n/gm, "")
    .replaceAll(/(?<!!)\[(?<label>(?:[^[\]`]|`[^`]*`)*)\]\((?<href>(?!https?:)[^)\s]+)\)/g, (_, label, href) => {
      const target = resolve(source, href)
      return target === undefined ? label : `[${label}](${target})`
    })
}

/** @param {readonly Section[]} sections */
function index(sections) {
  const lists = sections.map(
    ({ text, pages }) =>
      `## ${text}\n\n${pages.map((page) => `- [${page.title}](/${page.path})${about(page)}`).join("\n")}`,
  )
  return `# Latchkey

> Latchkey adds sign-in and sessions to TypeScript web apps: OAuth, OpenID Connect, email links, passkeys, passwords and second factors. It runs inside the app, with any framework, and has the interface of Auth.js v5 (NextAuth).

Each page below is Markdown. /llms-full.txt has the pages of all sections but the last in one file.

${lists.join("\n\n")}
`
}

/** @param {Page} page */
function about({ text }) {
  const summary = summaryOf(text)
  const first = /^.*?[.:](?= |$)/.exec(summary)?.[0] ?? summary
  return first === "" ? "" : `: ${first.length > 200 ? `${first.slice(0, 199)}…` : first}`
}
