// The front page: site/home.md, filled with what README.md, docs/README.md and the guides say.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../../tools/shell.mjs"
import { root } from "../../tools/workspace.mjs"
import { groupsOf } from "./sidebar.mjs"

/**
 * @typedef {import("./pages.mjs").Page} Page
 * @typedef {import("./guides.mjs").Guide} Guide
 * @typedef {{ label: string, href: string }} Task
 */

/** The frameworks of the front page. Their guides have the others. */
const shown = ["Next.js", "SvelteKit", "Nuxt", "Hono", "Express", "React Router"]

/** @param {readonly Page[]} pages @param {readonly Guide[]} guides @returns {Page} */
export function homePage(pages, guides) {
  const readme = readFileSync(join(root, "README.md"), "utf8")
  const parts = { "not published": notPublished(readme), start: start(guides), tasks: tasks(pages), why: why(readme) }
  let text = readFileSync(join(root, "site", "home.md"), "utf8")
  for (const [name, part] of Object.entries(parts)) text = text.replace(`<!-- ${name} -->`, () => part)
  return { source: "README.md", path: "index.md", title: "Latchkey", text }
}

/** @param {string} readme */
function notPublished(readme) {
  const published = !/not on npm\s+yet/.test(readme)
  return published
    ? ""
    : "Latchkey isn't on npm yet, so for now, [install it from a clone](docs/getting-started.md#install)."
}

/** @param {readonly Guide[]} guides */
function start(guides) {
  const found = shown.map((name) => {
    const guide = guides.find((guide) => guide.name === name)
    if (guide === undefined)
      throw new Failure(`docs/README.md doesn't begin with a guide of ${name}, which the front page shows`)
    return guide
  })
  const tabs = found.map(
    ({ name }, index) =>
      `<button type="button" role="tab" id="framework-${index}" aria-controls="framework-panel-${index}" aria-selected="${index === 0}" tabindex="${index === 0 ? 0 : -1}">${name}</button>`,
  )
  const panels = found.map(
    ({ name, path, start }, index) =>
      `<div role="tabpanel" id="framework-panel-${index}" aria-labelledby="framework-${index}"${index === 0 ? "" : " hidden"}>\n\n${start.join("\n\n")}\n
The [guide of ${name}](docs/${path}) says how to start it, and how to protect pages.\n\n</div>`,
  )
  return `<div class="framework-tabs">
<div role="tablist" aria-label="Framework">${tabs.join("")}</div>

${panels.join("\n")}

</div>

Every framework has a guide: ${guides.map(({ name, path }) => `[${name}](docs/${path})`).join(", ")}.`
}

/** The table of docs/README.md, in the groups of the sidebar. @param {readonly Page[]} pages */
function tasks(pages) {
  const index = pages.find(({ source }) => source === "docs/README.md")?.text ?? ""
  const rows = [...index.matchAll(/^\| (?<label>[^|]+) \| .*?\]\((?<href>[^)]+)\).* \|$/gm)]
    .map(({ groups }) => ({ label: groups?.["label"] ?? "", href: groups?.["href"] ?? "" }))
    .filter(({ label }) => !label.startsWith("[") && !label.startsWith("---"))
  const cards = groupsOf(pages).map(({ text, pages }) => {
    const own = rows.filter(({ href }) => pages.some(({ source }) => source === `docs/${href.split("#")[0]}`))
    return { text, own }
  })
  return cards
    .filter(({ own }) => own.length > 0)
    .map(({ text, own }) => `### ${text}\n\n${own.map(({ label, href }) => `- [${label}](docs/${href})`).join("\n")}`)
    .reduce((all, card) => `${all}<div class="card">\n\n${card}\n\n</div>\n`, '<div class="cards">\n')
    .concat("</div>")
}

/** @param {string} readme */
function why(readme) {
  const list = /^## Why Latchkey\n\n(?<list>.*?)\n\n## /ms.exec(readme)?.groups?.["list"]
  if (list === undefined) throw new Failure("README.md has no list below `## Why Latchkey`, which the front page shows")
  return `<div class="reasons">\n\n${list}\n\n</div>`
}
