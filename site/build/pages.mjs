// Which Markdown files of the repository are pages of the site, and where.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { isRepositoryKnown, repositoryUrl } from "../../tools/links.mjs"
import { filesBelow, root, shown } from "../../tools/workspace.mjs"

/**
 * @typedef {object} Page
 * @property {string} source the file, relative to the root of the repository
 * @property {string} path where it is on the site, such as `security/index.md`
 * @property {string} title its first heading, without formatting
 * @property {string} text
 */

/** Files outside `docs` that the docs link to, and that read well on the site. @type {Readonly<Record<string, string>>} */
const outside = {
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing/index.md",
  "SECURITY.md": "reporting-a-vulnerability.md",
  "bench/README.md": "benchmarks/index.md",
  "bench/results.md": "benchmarks/results.md",
  "bench/scale/results.md": "benchmarks/scale.md",
}

/** Every page that a person wrote. @returns {Page[]} */
export function writtenPages() {
  const docs = filesBelow(join(root, "docs")).map(shown)
  const readmes = filesBelow(join(root, "packages"))
    .map(shown)
    .filter((source) => /^packages\/[\w-]+\/README\.md$/.test(source))
  return [...docs.filter((source) => source.endsWith(".md")), ...Object.keys(outside), ...readmes]
    .filter((source) => existsSync(join(root, source)))
    .map((source) => {
      const text = readFileSync(join(root, source), "utf8")
      return { source, path: pathOf(source), title: titleOf(text), text }
    })
}

/** @param {string} source */
function pathOf(source) {
  if (source === "docs/README.md") return "docs.md"
  const path = outside[source] ?? source.replace(/^docs\//, "")
  if (path.startsWith("packages/")) return path.replace("/README.md", ".md")
  return path.replace(/README\.md$/, "index.md")
}

/** @param {string} text */
export function titleOf(text) {
  return plain(/^# (.+)$/m.exec(text)?.[1] ?? "")
}

/** The text of inline Markdown. @param {string} markdown */
export function plain(markdown) {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
}

/** The first paragraph of a page, as plain text. @param {string} text */
export function summaryOf(text) {
  const blocks = text.replace(/^---\n.*?\n---\n/s, "").split(/\n{2,}/)
  const paragraph = blocks.find((block) => /^[\p{L}`*[\d"<]/u.test(block.trim()) && !/^<[a-z!]/.test(block.trim()))
  return plain(paragraph ?? "")
}

/**
 * The anchors that GitHub generates for headings, so that a link works in both places.
 * @param {string} heading
 */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-")
}

/** The address on the site, without `.md`. @param {string} path */
export function addressOf(path) {
  return `/${path.replace(/\.md$/, "").replace(/(?:^|(?<=\/))index$/, "")}`
}

/**
 * Turns links between files of the repository into links between pages.
 * @param {readonly { source: string, path: string }[]} pages
 */
export function linkResolver(pages) {
  const paths = new Map(pages.map(({ source, path }) => [source, path]))
  paths.set("README.md", "index.md")

  /** `undefined`: the file exists, but there's no page of it and no repository to link to. @param {string} source @param {string} href */
  return (source, href) => {
    if (/^(?:[a-z][\w+.-]*:|\/|#)/i.test(href)) return href
    const [name = "", hash] = href.split("#")
    const target = posix.join(dirname(source), decodeURI(name)).replace(/\/$/, "")
    const path = paths.get(target) ?? paths.get(`${target}/README.md`)
    const anchor = hash === undefined ? "" : `#${hash}`
    if (path !== undefined) return `/${path}${anchor}`
    if (!existsSync(join(root, target))) return href
    return isRepositoryKnown() ? `${repositoryUrl()}/tree/HEAD/${target}${anchor}` : undefined
  }
}
