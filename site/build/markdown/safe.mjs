/**
 * VitePress compiles pages as templates of Vue, and its tables scroll.
 * @param {import("vitepress").MarkdownRenderer} md
 */
export function safe(md) {
  const text = md.renderer.rules.text
  md.renderer.rules.text = (...args) =>
    (text?.(...args) ?? md.utils.escapeHtml(args[0][args[1]]?.content ?? "")).replaceAll("{{", "&#123;&#123;")
  md.core.ruler.push("code", ({ tokens }) => {
    for (const { children } of tokens)
      for (const token of children ?? []) if (token.type === "code_inline") token.attrSet("v-pre", "")
  })
  md.core.ruler.push("tables", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      // A region that scrolls has to be reachable with the keyboard.
      if (token.type === "table_open") token.attrSet("tabindex", "0")
      // An empty header is announced as one.
      const isEmpty = token.type === "th_open" && tokens[index + 1]?.content === ""
      if (!isEmpty) continue
      token.tag = "td"
      const close = tokens[index + 2]
      if (close !== undefined) close.tag = "td"
    }
  })
}
