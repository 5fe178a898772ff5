import type { CallExpression, ObjectExpression } from "oxc-parser"
import { type Edit, insert } from "../source/edits.js"
import { bindingsOf, namesIn, styleOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { nameOf, type Source, walk } from "../source/syntax.js"
import { type App, change, sourceOf } from "./app.js"

/**
 * Adds to `getToken({ req })` what version 4 took from the environment: the secret, and whether cookies have the prefix
 * `__Secure-`.
 */
export function completeTokens(app: App): void {
  for (const path of app.files) {
    const source = sourceOf(app, path)
    if (source === undefined || !namesIn(source).has("getToken")) continue
    const local = bindingsOf(source).find(
      ({ imported, from }) => imported === "getToken" && from === "next-auth/jwt",
    )?.local
    if (local === undefined) continue
    change(
      app,
      source,
      callsOf(source, local).flatMap((call) => additions(source, call)),
    )
  }
}

function callsOf({ program }: Source, local: string): CallExpression[] {
  const calls: CallExpression[] = []
  walk(program, (node) => {
    if (node.type === "CallExpression" && nameOf(node.callee) === local) calls.push(node)
  })
  return calls
}

function additions(source: Source, { arguments: [options] }: CallExpression): Edit[] {
  if (options?.type !== "ObjectExpression" || options.properties.some(({ type }) => type === "SpreadElement")) return []
  const has = (name: string) => propertyOf(options, name) !== undefined
  const { quote } = styleOf(source)
  const url = "(process.env.AUTH_URL ?? process.env.NEXTAUTH_URL)"
  return after(source, options, [
    ...(has("secret") ? [] : ["secret: process.env.AUTH_SECRET ?? process.env.NEXTAUTH_SECRET"]),
    ...(has("secureCookie") || has("cookieName")
      ? []
      : [`secureCookie: ${url}?.startsWith(${quote}https://${quote}) ?? !!process.env.VERCEL`]),
  ])
}

/** Adds properties after the others, each on its own line if they have their own lines. */
function after(source: Source, { properties }: ObjectExpression, added: readonly string[]): Edit[] {
  const last = properties.at(-1)
  if (last === undefined || added.length === 0) return []
  const line = source.text.slice(source.text.lastIndexOf("\n", last.start - 1) + 1, last.start)
  const gap = line.trim() === "" && line !== "" ? styleOf(source).newline + line : " "
  return [insert(last.end, added.map((property) => `,${gap}${property}`).join(""))]
}
