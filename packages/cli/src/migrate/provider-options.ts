import type { CallExpression, Node, ObjectProperty } from "oxc-parser"
import type { Edit } from "../source/edits.js"
import { bindingsOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { nameOf, type Source, textOf, walk } from "../source/syntax.js"
import { type App, change, lineOf, sourceOf } from "./app.js"

const aboutTwitter =
  "Twitter uses OAuth 2.0 since version 5. Set the client ID and secret of OAuth 2.0, which differ from the API key."

/** `checks: "pkce"` becomes `checks: ["pkce"]`, and `version: "2.0"` goes. */
export function changeProviderOptions(app: App): void {
  for (const path of app.files) {
    const source = sourceOf(app, path)
    if (source === undefined || !source.text.includes("/providers")) continue
    const edits: Edit[] = []
    walk(source.program, (node, above) => {
      if (node.type === "CallExpression") noteTwitter(app, source, node)
      if (node.type === "Property") edits.push(...optionEdits(source, node, above))
    })
    change(app, source, edits)
  }
}

function noteTwitter(app: App, source: Source, { callee, arguments: [options], start }: CallExpression): void {
  const name = nameOf(callee)
  const isTwitter = bindingsOf(source).some(
    ({ local, from }) => local === name && from === "next-auth/providers/twitter",
  )
  const hasVersion = options?.type === "ObjectExpression" && propertyOf(options, "version") !== undefined
  if (isTwitter && !hasVersion) app.draft.leave(aboutTwitter, lineOf(source, start))
}

function optionEdits(source: Source, property: ObjectProperty | Node, above: readonly Node[]): Edit[] {
  if (property.type !== "Property") return []
  const { start, end } = property.value
  const text = textOf(property.value)
  if (text === undefined || !isInProviders(above)) return []
  if (nameOf(property.key) === "checks") return [{ start, end, text: `[${source.text.slice(start, end)}]` }]
  return nameOf(property.key) === "version" && text.startsWith("2.") ? [removal(source, property)] : []
}

function isInProviders(above: readonly Node[]): boolean {
  const isCall = above.some(({ type }) => type === "CallExpression")
  return isCall || above.some((one) => one.type === "Property" && nameOf(one.key) === "providers")
}

/** With the comma and the space after it, or before it if it's the last. */
function removal({ text }: Source, { start, end }: { readonly start: number; readonly end: number }): Edit {
  const after = /^\s*,[ \t]*(?:\r?\n[ \t]*)?/.exec(text.slice(end))
  if (after !== null && !/^\s*\}/.test(text.slice(end + after[0].length)))
    return { start, end: end + after[0].length, text: "" }
  const before = /,?\s*$/.exec(text.slice(0, start))?.[0] ?? ""
  return { start: start - before.length, end, text: "" }
}
