import { findNodeAtLocation, parseTree } from "jsonc-parser"
import type { Node } from "oxc-parser"
import type { Edit } from "../source/edits.js"
import { nameOf, type Source, walk } from "../source/syntax.js"
import { type App, change, lineNumber, lineOf, sourceOf } from "./app.js"
import { isCode, isSetting } from "./files.js"
import { counterpartNames, specifiersIn, targetOf } from "./specifiers.js"

const configuration =
  /(?:^|\/)(?:[\w.-]+\.config|jest\.[\w.-]+|\.?eslintrc|\.babelrc|\.prettierrc|vitest\.[\w.-]+)\.[cm]?[jt]s$/
const settings =
  /(?:^|\/)(?:(?:ts|js)config[\w.-]*\.json|\.eslintrc(?:\.json)?|\.babelrc(?:\.json)?|jest\.config\.json|package\.json)$/

/** A module of Auth.js in a string or a pattern, but not in a path such as `types/next-auth.d.ts`, or in a URL. */
const mention =
  /(?:(?<![\w./@-])|node_modules\/)(?:(?:next-auth|@hono\/auth-js|auth-astro)(?![\w-])(?!\.(?:js\.org|d\.ts))|@auth\/(?!\w+(?:-\w+)*-adapter)[a-z]|@next-auth\/)/
const modules = new RegExp(`"((?:${counterpartNames})(?:/[^"*]*)?)"`, "g")
const mocks = new RegExp(`(?:^|/)__mocks__/(${counterpartNames})(?=[/.])`)
const dependency = new RegExp(`^\\s*"(${counterpartNames}|@auth/\\w+)"\\s*:`)
const anyName = new RegExp(`${counterpartNames}|@auth/\\w+`)

/** The cookies of version 4. */
const cookie = /next-auth\.(?:session-token|csrf-token|callback-url|state|nonce|pkce)/

const aboutCookie =
  "names a cookie of next-auth. Latchkey's cookies have the prefix `authjs`, such as `authjs.session-token`."
const aboutModule = "names a package of Auth.js. Replace it by the package of Latchkey, if it's still needed."

/** Replaces names of modules in the files that configure bundlers, linters, tests and TypeScript. */
export function renameSettings(app: App, used: Set<string>): void {
  for (const path of app.all) {
    if (configuration.test(path)) renameStrings(app, path, used)
    else if (settings.test(path)) renameInJson(app, path, used)
  }
}

function renameStrings(app: App, path: string, used: Set<string>): void {
  if (!anyName.test(app.draft.get(path) ?? "")) return
  const source = sourceOf(app, path)
  if (source === undefined) return
  const edits: Edit[] = []
  walk(source.program, (node) => {
    const to = node.type === "Literal" && typeof node.value === "string" ? ours(app, node.value, used) : undefined
    if (to !== undefined) edits.push({ start: node.start + 1, end: node.end - 1, text: to })
  })
  change(app, source, edits)
}

/** The dependencies of package.json are replaced elsewhere. */
function renameInJson(app: App, path: string, used: Set<string>): void {
  const text = app.draft.get(path) ?? ""
  if (path === "package.json") return
  const changed = text.replaceAll(modules, (whole, value: string) => {
    const to = ours(app, value, used)
    return to === undefined ? whole : `"${to}"`
  })
  if (changed !== text) app.draft.set(path, changed)
}

function ours(app: App, value: string, used: Set<string>): string | undefined {
  const target = targetOf(value)
  if (target?.kind !== "ours" || app.isSwapped(value)) return undefined
  used.add(target.to.split("/").slice(0, 2).join("/"))
  return target.to
}

/** Leaves a note for each line that still names a package, a cookie or a variable of version 4. */
export function noteLeftovers(app: App): void {
  for (const path of app.all) {
    const mocked = mocks.exec(path)?.[1]
    if (mocked !== undefined && !app.isSwapped(mocked))
      app.draft.leave(
        `mocks ${mocked} by its path. Move it to the path of Latchkey's package in \`__mocks__\`.`,
        `${path}:1`,
      )
  }
  for (const path of app.draft.codePaths(app.files)) {
    const source = sourceOf(app, path)
    if (source !== undefined) noteInCode(app, source)
  }
  for (const path of app.all.filter((path) => isSetting(path) && !isCode(path))) noteInSetting(app, path)
}

function noteInCode(app: App, source: Source): void {
  const known = new Set(specifiersIn(source).map(({ start }) => start))
  walk(source.program, (node, above) => {
    const written = writtenIn(node)
    if (written === undefined || known.has(node.start) || isImportSource(above)) return
    if (cookie.test(written) && !isCookieOption(above)) app.draft.leave(aboutCookie, lineOf(source, node.start))
    else if (configuration.test(source.path) && mention.test(written) && !isSwappedIn(app, written))
      app.draft.leave(aboutModule, lineOf(source, node.start))
  })
}

function writtenIn(node: Node): string | undefined {
  if (node.type === "TemplateElement") return node.value.raw
  if (node.type !== "Literal") return undefined
  return "regex" in node ? node.regex.pattern : typeof node.value === "string" ? node.value : undefined
}

function isImportSource(above: readonly Node[]): boolean {
  const parent = above.at(-1)
  return parent?.type === "JSXAttribute" || parent?.type.startsWith("Import") === true
}

/** `cookies: { sessionToken: { name: "next-auth.session-token" } }` stays as it is, because Latchkey uses these names. */
function isCookieOption(above: readonly Node[]): boolean {
  return above.some((node) => node.type === "Property" && nameOf(node.key) === "cookies")
}

function isSwappedIn(app: App, written: string): boolean {
  const name = anyName.exec(written)?.[0] ?? ""
  return app.isSwapped(name)
}

function noteInSetting(app: App, path: string): void {
  const text = app.draft.get(path) ?? ""
  if (!anyName.test(text) && !text.includes("NEXTAUTH_")) return
  const prose = path.endsWith("package.json") ? proseIn(text) : []
  let at = 0
  for (const line of text.split("\n")) {
    const start = at
    at += line.length + 1
    const isProse = prose.some(({ offset, length }) => start < offset + length && at > offset)
    if (!isProse) noteLine(app, path, line, `${path}:${lineNumber(text, start)}`)
  }
}

/** The members of a package.json that only describe it. */
function proseIn(text: string): { readonly offset: number; readonly length: number }[] {
  const names = ["name", "description", "keywords", "repository", "homepage", "bugs", "author", "contributors"]
  const root = parseTree(text)
  return names.flatMap((name) => (root === undefined ? [] : (findNodeAtLocation(root, [name])?.parent ?? [])))
}

function noteLine(app: App, path: string, line: string, where: string): void {
  if (/^\s*(?:#|\/\/)/.test(line)) return
  const variable = /\bNEXTAUTH_(?:URL|SECRET)\b/.exec(line)?.[0]
  if (variable !== undefined && app.isVersion4) {
    const to = variable.replace("NEXTAUTH_", "AUTH_")
    app.draft.leave(
      `sets or reads ${variable}. Latchkey still reads it. If you rename it to ${to}, rename it everywhere at once.`,
      where,
    )
  }
  if (cookie.test(line)) app.draft.leave(aboutCookie, where)
  else if (mention.test(line) && !isDependencyLine(app, path, line)) app.draft.leave(aboutModule, where)
}

/** package.json keeps a package that the code still imports, which has its own note. */
function isDependencyLine(app: App, path: string, line: string): boolean {
  const name = path.endsWith("package.json") ? dependency.exec(line)?.[1] : undefined
  return name !== undefined && (app.isSwapped(name) || app.keeps.has(name))
}
