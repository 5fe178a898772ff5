import { posix } from "node:path"

/** @typedef {ReturnType<import("vitepress").MarkdownRenderer["parse"]>} Tokens */

/**
 * Links to files of the repository lead to their pages, or into the repository, and pictures to their copies.
 * @param {import("vitepress").MarkdownRenderer} md
 * @param {(path: string) => string} sourceOf the file that a page comes from
 * @param {(source: string, href: string) => string | undefined} resolve
 */
export function links(md, sourceOf, resolve) {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    const source = sourceOf(env.relativePath)
    for (const { children } of tokens) relink(children ?? [], source, resolve)
    for (const token of tokens) if (token.type === "html_block") token.content = html(token.content, source)
  })
}

/**
 * @param {Tokens} tokens
 * @param {string} source
 * @param {(source: string, href: string) => string | undefined} resolve
 */
function relink(tokens, source, resolve) {
  for (const [index, token] of tokens.entries()) {
    if (token.type === "image") token.attrSet("src", picture(token.attrGet("src") ?? "", source))
    if (token.type !== "link_open") continue
    const href = resolve(source, token.attrGet("href") ?? "")
    if (href === undefined) unlink(tokens, index)
    else token.attrSet("href", href)
  }
}

/** Without a repository to link to, the text remains. @param {Tokens} tokens @param {number} index */
function unlink(tokens, index) {
  const close = tokens.findIndex(({ type }, place) => place > index && type === "link_close")
  for (const place of [index, close]) {
    const token = tokens[place]
    if (token === undefined) continue
    token.type = token.type.replace("link", "span")
    token.tag = "span"
    token.attrs = null
  }
}

/** @param {string} src @param {string} source */
function picture(src, source) {
  const path = posix.join(posix.dirname(source), src)
  return path.startsWith("docs/images/") ? path.replace("docs/", "/") : src
}

/** A picture for dark mode follows the switch of the site, and not only the browser. @param {string} html @param {string} source */
function html(html, source) {
  return html.replaceAll(
    /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(?<dark>[^"]+)">\s*<img (?<img>[^>]+)>\s*<\/picture>/g,
    (...match) => {
      const { dark = "", img = "" } = match.at(-1)
      const tag = (/** @type {string} */ src, /** @type {string} */ theme) =>
        `<img ${img.replace(/src="[^"]+"/, `src="${picture(src, source)}"`)} class="only-${theme}">`
      return `<p>${tag(/src="([^"]+)"/.exec(img)?.[1] ?? "", "light")}${tag(dark, "dark")}</p>`
    },
  )
}
