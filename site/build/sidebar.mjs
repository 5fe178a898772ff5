// The sidebar of the guides. It follows docs/README.md, so a page that's linked there has its place.
import { posix } from "node:path"
import { Failure } from "../../tools/shell.mjs"
import { addressOf, plain } from "./pages.mjs"

/**
 * @typedef {import("./pages.mjs").Page} Page
 * @typedef {{ text: string, link?: string, collapsed?: boolean, items?: Item[] }} Item
 * @typedef {{ text: string, pages: Page[] }} Group
 */

/** The tasks of docs/README.md are one long table. A group begins with the row that first links to its page. */
const groups = /** @type {const} */ ([
  ["frameworks.md", "Pages and sessions"],
  ["pages.md", "Sign-in page"],
  ["providers.md", "Ways to sign in"],
  ["account.md", "Accounts"],
  ["tokens.md", "Data"],
  ["bearer.md", "APIs and devices"],
  ["audit.md", "In production"],
  ["next-auth-4.md", "Move to Latchkey"],
])

/** @param {readonly Page[]} pages @returns {Group[]} what docs/README.md links to, and in which group */
export function groupsOf(pages) {
  const index = pages.find(({ source }) => source === "docs/README.md")
  if (index === undefined) throw new Failure("docs/README.md is missing. The sidebar follows it.")
  /** @type {Map<string, string>} */
  const starts = new Map(groups.map(([file, name]) => [`docs/${file}`, name]))
  const seen = new Set([index])
  const found = sectionsOf(index.text).flatMap(({ text, targets }) => {
    const own = [{ text, pages: /** @type {Page[]} */ ([]) }]
    for (const page of targets.map((target) => linked(pages, index.source, target))) {
      if (page === undefined || seen.has(page)) continue
      seen.add(page)
      const start = starts.get(page.source)
      if (start !== undefined) own.push({ text: start, pages: [] })
      starts.delete(page.source)
      own.at(-1)?.pages.push(page)
    }
    return own
  })
  if (starts.size > 0)
    throw new Failure(
      `docs/README.md doesn't link to ${[...starts.keys()].join(", ")}, with which a group of the sidebar begins. Change \`groups\` in site/build/sidebar.mjs.`,
    )
  return found.filter(({ pages }) => pages.length > 0)
}

/** @param {string} text */
function sectionsOf(text) {
  return text.split(/^(?=#{1,2} )/m).flatMap((section) => {
    const groups = /^(?<marks>#+) (?<heading>.+)\n/.exec(section)?.groups
    if (groups === undefined) return []
    const targets = [...section.matchAll(/\]\(([^)\s#]+)/g)].map(([, target = ""]) => target)
    // Before the first section, the page links to the guides.
    return [{ text: groups["marks"] === "#" ? "Frameworks" : plain(groups["heading"] ?? ""), targets }]
  })
}

/** @param {readonly Page[]} pages @param {string} from @param {string} href */
function linked(pages, from, href) {
  const target = posix.join(posix.dirname(from), href).replace(/\/$/, "")
  return pages.find(({ source }) => source === target || source === `${target}/README.md`)
}

/**
 * The sidebar. A page that docs/README.md doesn't link to is below the index of its folder, or else below the first page
 * that links to it. One without such a place fails the build.
 * @param {readonly Page[]} pages
 * @returns {Item[]}
 */
export function sidebarOf(pages) {
  const listed = groupsOf(pages)
  const direct = new Set(listed.flatMap((group) => group.pages))
  const rest = pages.filter((page) => !direct.has(page) && page.path !== "docs.md")
  /** @type {Map<Page, Page[]>} */
  const children = new Map()
  for (const page of rest) {
    const parent = parentOf(page, [...direct])
    if (parent === undefined)
      throw new Failure(
        `${page.source} isn't in the sidebar. Link to it from docs/README.md, or from a page that's linked there.`,
      )
    children.set(parent, [...(children.get(parent) ?? []), page])
  }
  /** @param {Page} page @returns {Item} */
  const item = (page) => {
    const own = children.get(page)
    const self = { text: page.title, link: addressOf(page.path) }
    return own === undefined ? self : { ...self, collapsed: true, items: own.map(item) }
  }
  const top = [{ text: "Documentation", items: [{ text: "All tasks", link: "/docs" }] }]
  return [...top, ...listed.map(({ text, pages }) => ({ text, items: pages.map(item) }))]
}

/** @param {Page} page @param {readonly Page[]} listed */
function parentOf(page, listed) {
  const folder = posix.dirname(page.path)
  const home = listed.find(({ path }) => path === `${folder}/index.md` || path === `${folder}.md`)
  return home ?? listed.find(({ source, text }) => linksTo(text, source, page.source))
}

/** @param {string} text @param {string} from @param {string} to */
function linksTo(text, from, to) {
  return [...text.matchAll(/\]\(([^)\s#]+)/g)].some(
    ([, href = ""]) => posix.join(posix.dirname(from), href).replace(/\/$/, "") === to,
  )
}
