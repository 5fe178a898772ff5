// Writes every page into one folder, which VitePress builds: those that people wrote as they are, and the generated ones.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { filesBelow, root, shown } from "../../tools/workspace.mjs"
import { referencePages, writeReference } from "./api.mjs"
import { errorPages } from "./errors.mjs"
import { guidesOf } from "./guides.mjs"
import { homePage } from "./home.mjs"
import { addressOf, linkResolver, writtenPages } from "./pages.mjs"
import { logos, providerPages } from "./providers.mjs"
import { sidebarOf } from "./sidebar.mjs"

/**
 * @typedef {import("./pages.mjs").Page} Page
 * @typedef {import("./sidebar.mjs").Item} Item
 * @typedef {object} Site what the configuration of VitePress needs to know
 * @property {readonly Page[]} pages
 * @property {Readonly<Record<string, Item[]>>} sidebar
 * @property {readonly { text: string, paths: readonly string[], optional: boolean }[]} sections
 */

const temp = join(root, "site", "temp")
export const pagesFolder = join(temp, "pages")
const reference = join(temp, "api")

/** Pages for those who work on Latchkey. The search leaves them out. @param {string} path */
export function isInternal(path) {
  return /^(?:specification|decisions|evidence|benchmarks|contributing)\/|^architecture\.|^security\/(?!index|hardening|limits)/.test(
    path,
  )
}

/** @param {{ reference?: boolean }} [options] `reference: false` keeps the API reference of the last time */
export async function stage({ reference: wanted = true } = {}) {
  if (wanted || !existsSync(reference)) await writeReference(reference)
  const written = [...writtenPages(), decisions()]
  const guides = guidesOf(written)
  const errors = errorPages(written, linkResolver(written))
  const providers = await providerPages(guides)
  const api = referencePages(reference)
  const home = homePage(written, guides)
  const pages = [home, ...written, ...providers, ...errors, ...api]
  const sidebar = sidebarOf(written)
  rmSync(pagesFolder, { recursive: true, force: true })
  for (const page of pages) write(page)
  for (const [from, to] of [
    [join(root, "docs", "images"), "images"],
    [logos, "logos"],
    [join(root, "site", "public"), ""],
  ])
    if (from !== undefined && existsSync(from))
      cpSync(from, join(pagesFolder, "public", to ?? ""), {
        recursive: true,
        filter: (file) => !file.endsWith(".md"),
      })
  /** @type {Site} */
  const site = {
    pages,
    sidebar: {
      "/": sidebar,
      "/providers/": listOf("Providers", "/providers", providers),
      "/errors/": listOf("Errors", "/errors", errors),
      "/api/": referenceSidebar(api),
    },
    sections: [
      ...sidebar.map((group) => ({ text: group.text, paths: pathsIn([group]), optional: group.text === "Contribute" })),
      { text: "Providers", paths: providers.map(({ path }) => path), optional: false },
      { text: "Errors", paths: errors.map(({ path }) => path), optional: false },
      { text: "API", paths: api.map(({ path }) => path), optional: false },
    ],
  }
  writeFileSync(join(temp, "site.json"), JSON.stringify(site))
}

/** Writes one changed page again. @param {string} source */
export function restage(source) {
  const page = writtenPages().find((page) => page.source === source)
  if (page !== undefined) write(page)
}

/** @returns {Site} */
export function readSite() {
  return JSON.parse(readFileSync(join(temp, "site.json"), "utf8"))
}

/** @param {Page} page */
function write({ path, text }) {
  const file = join(pagesFolder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** docs/README.md links to the folder. @returns {Page} */
function decisions() {
  const files = filesBelow(join(root, "docs", "decisions")).map(shown)
  const rows = files.map((source) => {
    const title = /^# (.+)$/m.exec(readFileSync(join(root, source), "utf8"))?.[1] ?? source
    return `- [${title}](${source.replace("docs/", "")})`
  })
  const text = `---\neditLink: false\n---\n# Decisions\n\nWhy Latchkey is built as it is.\n\n${rows.join("\n")}\n`
  return { source: "docs/decisions", path: "decisions/index.md", title: "Decisions", text }
}

/** @param {readonly Page[]} pages @returns {Item[]} */
function referenceSidebar(pages) {
  const names = [...new Set(pages.map(({ path }) => path.split("/")[1] ?? ""))]
  return names.map((name) => ({
    text: `@latchkey/${name}`,
    items: pages
      .filter(({ path }) => path.startsWith(`api/${name}/`))
      .map(({ title, path }) => ({ text: title, link: addressOf(path) })),
  }))
}

/** @param {string} text @param {string} link @param {readonly Page[]} pages @returns {Item[]} */
function listOf(text, link, pages) {
  return [
    { text, items: [{ text: "Overview", link }] },
    {
      text: `All ${text.toLowerCase()}`,
      items: pages.map(({ title, path }) => ({ text: title, link: addressOf(path) })),
    },
  ]
}

/** @param {readonly Item[]} items @returns {string[]} */
function pathsIn(items) {
  return items.flatMap(({ link, items = [] }) => [
    ...(link === undefined ? [] : [`${link.slice(1)}${link.endsWith("/") ? "index" : ""}.md`]),
    ...pathsIn(items),
  ])
}
