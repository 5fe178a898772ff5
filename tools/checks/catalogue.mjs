// The pages about providers are made from `catalogue` of @latchkey/core: nobody writes 120 rows twice.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "../commands/build.mjs"
import { Failure } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"

/** @typedef {import("../../packages/core/src/providers/catalogue.js").CatalogueEntry} Entry */

const folder = join(root, "docs")
const pages = { "provider-catalogue.md": toMarkdown, "provider-catalogue.html": toPage }

/** Compares the pages with the catalogue. */
export async function checkCatalogue() {
  const entries = await load()
  const stale = Object.entries(pages)
    .map(([name, render]) => ({ path: join(folder, name), text: render(entries) }))
    .filter(({ path, text }) => text !== read(path))
  if (stale.length === 0) return
  throw new Failure(
    `Not what the catalogue says: run \`npm run catalogue\`\n  ${stale.map(({ path }) => shown(path)).join("\n  ")}`,
  )
}

/** Writes them. */
export async function writeCatalogue() {
  const entries = await load()
  for (const [name, render] of Object.entries(pages)) {
    writeFileSync(join(folder, name), render(entries))
    console.log(shown(join(folder, name)))
  }
}

/** @returns {Promise<readonly Entry[]>} */
async function load() {
  await build()
  const built = pathToFileURL(join(root, "packages/core/dist/providers/catalogue.js")).href
  return (await import(built)).catalogue.toSorted((/** @type {Entry} */ a, /** @type {Entry} */ b) =>
    a.name.localeCompare(b.name, "en"),
  )
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** @param {Entry} entry */
function variables({ env, needs, options }) {
  const code = (/** @type {string} */ text) => `\`${text}\``
  const own = needs.filter((name) => name !== "issuer").map((name) => `option ${code(name)}`)
  const others = options.filter((name) => !needs.includes(name)).map((name) => `(option ${code(name)})`)
  return [...Object.values(env).map(code), ...own, ...others]
}

/** @param {readonly Entry[]} entries */
function toMarkdown(entries) {
  const rows = entries.map((entry) => {
    const { name, module, id, docs, deprecated } = entry
    const shownName = deprecated ? `${name} (deprecated)` : name
    return `| [${shownName}](${docs}) | \`${module}\` | ${id === module ? "" : `\`${id}\``} | ${variables(entry).join("<br>")} |`
  })
  return `# Catalogue of providers

Made from the catalogue in \`@latchkey/core/providers/catalogue\` by \`npm run catalogue\`. The same with a search, and with
whole callback URLs: [provider-catalogue.html](provider-catalogue.html).

Register your application with the service under the callback URL
\`https://<your site>/auth/callback/<id>\` (\`/api/auth/callback/<id>\` under Next.js), set the variables, and add the
provider: \`import GitHub from "@latchkey/core/providers/github"\`. The packages of the frameworks have the same files.
What is special about a service stands in the comment of its file, which editors show.

| Service | Import | Id, if other | Variables and options |
| --- | --- | --- | --- |
${rows.join("\n")}
`
}

/** One file without anything from elsewhere. @param {readonly Entry[]} entries */
function toPage(entries) {
  const escape = (/** @type {string} */ text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
  const asCode = (/** @type {string} */ text) => escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")
  const items = entries.map((entry) => {
    const { name, module, id, docs, exportName, deprecated, issuer, type } = entry
    const path = `@latchkey/core/providers/${module}`
    return `<article data-words="${escape(`${name} ${id} ${module}`.toLowerCase())}">
<h2>${escape(name)}${deprecated ? " <small>deprecated</small>" : ""}</h2>
<p><code>import ${exportName} from "${path}"</code></p>
${type === "email" ? "" : `<p>Callback URL: <code class="callback" data-id="${escape(id)}">https://your.site/auth/callback/${escape(id)}</code></p>\n`}<p>${variables(entry).map(asCode).join(", ") || "Nothing to set."}${issuer === undefined ? "" : `; the issuer looks like <code>${escape(issuer)}</code>`}</p>
<p><a href="${escape(docs)}">How to register an application</a></p>
</article>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Providers – Latchkey</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 1rem; padding: 1rem 0; background: Canvas }
input { font: inherit; padding: .4rem .6rem; flex: 1 1 12rem }
article { border-top: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); padding: .5rem 0 }
h2 { font-size: 1.1rem; margin: .5rem 0 0 }
p { margin: .25rem 0 }
small { font-weight: normal; opacity: .7 }
code { font-size: .9em; overflow-wrap: anywhere }
</style>
<h1>${entries.length} providers</h1>
<form>
<label>Search <input type="search" name="words" autofocus></label>
<label>Your site <input name="site" value="https://your.site/auth"></label>
</form>
<p id="count" role="status"></p>
${items.join("\n")}
<script>
const form = document.querySelector("form")
const update = () => {
  const words = form.elements.words.value.toLowerCase().split(/\\s+/)
  const site = form.elements.site.value.replace(/\\/+$/, "")
  let shown = 0
  for (const article of document.querySelectorAll("article")) {
    article.hidden = !words.every((word) => article.dataset.words.includes(word))
    if (!article.hidden) shown++
    const callback = article.querySelector(".callback")
    if (callback) callback.textContent = site + "/callback/" + callback.dataset.id
  }
  document.querySelector("#count").textContent = shown + " shown"
}
form.addEventListener("input", update)
form.addEventListener("submit", (event) => event.preventDefault())
update()
</script>
</html>
`
}
