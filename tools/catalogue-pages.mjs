import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.mjs"

/** @typedef {import("./providers.mjs").Documented} Documented */

/** The page about all providers, as Markdown. @param {readonly Documented[]} providers */
export function toMarkdown(providers) {
  const sections = providers.map(
    ({ entry, guide }) => `## ${title(entry)}

\`import ${entry.exportName} from "@latchkey/core/providers/${entry.module}"\`

${guide}

[${linkText(entry)}](${entry.docs})
`,
  )
  return `# All providers

${summary(providers)} The import is the same in the framework packages, for example
\`@latchkey/next/providers/github\`.

${sections.join("\n")}`
}

/** The page about all providers, as HTML with a search. It needs no other file. @param {readonly Documented[]} providers */
export function toPage(providers) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>All providers – Latchkey</title>
<style>${styles}</style>
<header>
<h1>All providers</h1>
<p>${escape(summary(providers))}</p>
<form>
<label>Search <input type="search" name="words" placeholder="github" autofocus></label>
<label>Your auth route <input name="base" value="https://example.com/auth" spellcheck="false"></label>
</form>
<p id="count" role="status"></p>
</header>
<main>
${providers.map(toArticle).join("\n")}
</main>
<script>${script}</script>
</html>
`
}

/** @param {readonly Documented[]} providers */
function summary(providers) {
  const senders = providers.filter(({ entry }) => entry.type === "email").length
  return `Latchkey comes with ${providers.length - senders} OAuth and OpenID Connect providers and ${senders} email providers, including deprecated ones.`
}

/** @param {Documented["entry"]} entry */
function title({ name, exportName, type, deprecated }) {
  // Two email providers show the same name on their buttons.
  const unique = type === "email" ? exportName : name
  return deprecated ? `${unique} (deprecated)` : unique
}

/** @param {Documented["entry"]} entry */
function linkText({ name, type }) {
  return type === "email" ? "Documentation" : `Documentation of ${name}`
}

/** @param {Documented} provider */
function toArticle({ entry, guide }) {
  const { id, module, exportName, docs } = entry
  return `<article data-words="${escape(`${entry.name} ${id} ${module}`.toLowerCase())}">
<h2>${logo(module)}${escape(title(entry))}</h2>
<pre><code>import ${exportName} from "@latchkey/core/providers/${module}"</code></pre>
${toHtml(guide.replaceAll("https://<your site>/auth/", "\0"), id)}
<p><a href="${escape(docs)}">${escape(linkText(entry))}</a></p>
</article>`
}

/** @param {string} module */
function logo(module) {
  const path = join(root, "packages", "core", "logos", `${module}.svg`)
  if (!existsSync(path)) return ""
  return `<img alt="" width="24" height="24" src="data:image/svg+xml;base64,${readFileSync(path, "base64")}">`
}

/** The Markdown that comments use: paragraphs, lists, code and links. @param {string} markdown @param {string} id */
function toHtml(markdown, id) {
  const blocks = markdown.split(/\n\n+/).map((block) => {
    const items = block.split(/^(?:\d+\.|-) /m)
    const kind = /^\d+\. /.test(block) ? "ol" : block.startsWith("- ") ? "ul" : undefined
    if (kind === undefined) return `<p>${inline(block)}</p>`
    return `<${kind}>${items
      .slice(1)
      .map((item) => `<li>${inline(item)}</li>`)
      .join("")}</${kind}>`
  })
  const own = `<code class="callback" data-id="${escape(id)}">`
  return blocks.join("\n").replaceAll(/<code>\0[^<]*/g, `${own}https://example.com/auth/callback/${escape(id)}`)
}

/** @param {string} text */
function inline(text) {
  return escape(text.trim())
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/(?<!["=>])https:\/\/[^\s<)]+[^\s<).,;:]/g, '<a href="$&">$&</a>')
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
}

const styles = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 15%, Canvas); --soft: color-mix(in srgb, CanvasText 6%, Canvas) }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 0 1.25rem 4rem }
header { position: sticky; top: 0; background: Canvas; padding: 1.5rem 0 .5rem; border-bottom: 1px solid var(--line) }
h1 { font-size: 1.75rem; margin: 0 }
form { display: flex; flex-wrap: wrap; gap: 1rem }
label { flex: 1 1 16rem; font-size: .875rem }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; font-size: 1rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--soft); color: inherit }
#count { font-size: .875rem; margin: .5rem 0 0; opacity: .7 }
article { padding: 1.5rem 0; border-bottom: 1px solid var(--line) }
h2 { display: flex; align-items: center; gap: .75rem; font-size: 1.25rem; margin: 0 }
h2 img { background: #fff; border-radius: .375rem; padding: .25rem; border: 1px solid var(--line) }
pre { background: var(--soft); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere }
p, ul, ol { margin: .5rem 0 }
ul, ol { padding-left: 1.5rem }
`

const script = `
const form = document.querySelector("form")
const articles = [...document.querySelectorAll("article")]
form.addEventListener("input", update)
form.addEventListener("submit", (event) => event.preventDefault())
update()

function update() {
  const words = form.elements.words.value.toLowerCase().split(/\\s+/)
  const base = form.elements.base.value.replace(/\\/+$/, "")
  for (const article of articles) article.hidden = !words.every((word) => article.dataset.words.includes(word))
  for (const code of document.querySelectorAll(".callback")) code.textContent = base + "/callback/" + code.dataset.id
  document.querySelector("#count").textContent = "Showing " + articles.filter(({ hidden }) => !hidden).length + " of " + articles.length
}
`
