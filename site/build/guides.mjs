// What the guides of the frameworks begin with: how to install, and the first files.
import { blocksOf } from "../../tools/guide-blocks.mjs"
import { Failure } from "../../tools/shell.mjs"

/**
 * @typedef {import("./pages.mjs").Page} Page
 * @typedef {object} Guide
 * @property {string} name of the framework, as docs/README.md shows it
 * @property {string} path of the guide
 * @property {string} config the file that has the providers, as a code block
 * @property {readonly string[]} start the code blocks up to the environment variables
 */

/** The guides that docs/README.md begins with. @param {readonly Page[]} pages @returns {Guide[]} */
export function guidesOf(pages) {
  const index = pages.find(({ source }) => source === "docs/README.md")?.text ?? ""
  const links = [
    ...index
      .split(/^## /m, 1)
      .join("")
      .matchAll(/\[(?<name>[^\]]+)\]\((?<file>[\w-]+\.md)\)/g),
  ]
  return links.flatMap(({ groups }) => {
    const { name = "", file = "" } = groups ?? {}
    const guide = pages.find(({ source }) => source === `docs/${file}`)
    // The page about any other server has no package of its own.
    if (guide === undefined || !guide.text.includes("/providers/github")) return []
    return [{ name: name.replaceAll(/\s+/g, " ").split(", ")[0] ?? name, path: guide.path, ...startOf(guide) }]
  })
}

/** @param {Page} guide */
function startOf({ source, text }) {
  const blocks = blocksOf(text).map(({ language, code }) => ({ language, code }))
  const config = blocks.find(({ code }) => code.includes("/providers/github"))
  const end = blocks.findIndex(({ code }) => code.includes("AUTH_GITHUB_ID="))
  if (config === undefined || end === -1)
    throw new Failure(`${source} needs a file with a provider and one with \`AUTH_GITHUB_ID\`. The site shows both.`)
  return { config: fence(config), start: blocks.slice(0, end + 1).map(fence) }
}

/** @param {{ language: string, code: string }} block */
function fence({ language, code }) {
  return `\`\`\`${language}\n${code}\`\`\``
}
