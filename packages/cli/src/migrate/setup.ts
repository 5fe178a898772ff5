import type { ExportDefaultDeclaration, Expression, Statement } from "oxc-parser"
import { applied, type Edit, insert } from "../source/edits.js"
import { type Binding, bindingsOf, importEdit, lineEnd, styleOf } from "../source/imports.js"
import { bare, nameOf, type Source } from "../source/syntax.js"
import { type App, change, sourceOf } from "./app.js"
import { bindingOf } from "./names.js"
import { renamed, specifiersIn } from "./specifiers.js"

/** The module that exports `auth` after the migration. */
export interface Setup {
  /** The path of the file. */
  readonly module: string
  /** The API route that had the options, if they had to move. */
  readonly movedFrom: string | undefined
}

const handlerPath = /^(src\/)?(?:app|pages)\/api\/auth\/\[\.\.\.nextauth\](?:\/route)?\.[cm]?([jt])sx?$/
const manually = "Write `auth.ts` yourself, as docs/migrating-from-next-auth.md describes."

/** Moves the options from the API route of version 4 to `auth.ts`, and writes a new route. */
export function moveSetup(app: App): Setup | undefined {
  const path = app.files.find((file) => handlerPath.test(file))
  const source = path === undefined ? undefined : sourceOf(app, path)
  if (path === undefined || source === undefined) {
    app.draft.note(`The API route [...nextauth] wasn't found. ${manually}`)
    return undefined
  }
  const call = handlerCall(source)
  if (call === undefined) {
    app.draft.note(`creates its handler in an unusual way. ${manually}`, path)
    return undefined
  }
  const options = bindingsOf(source).find(({ local }) => local === call.argument)
  const target = options === undefined ? undefined : app.modules.resolve(path, options.from)
  const setup = target === undefined ? moved(app, source, call) : extended(app, target, options)
  if (setup !== undefined) writeRoute(app, path, setup, options?.from)
  return setup
}

/** `const handler = NextAuth(argument)` or `export default NextAuth(argument)` */
interface HandlerCall {
  readonly statement: Statement
  /** Undefined if the result is exported directly. */
  readonly handler: string | undefined
  /** Source text. */
  readonly argument: string
}

function handlerCall(source: Source): HandlerCall | undefined {
  const local = bindingOf(source, "default", /^next-auth(?:\/next)?$/)?.local
  for (const statement of source.program.body) {
    const { name, value } = declared(statement)
    if (local === undefined || value?.type !== "CallExpression" || nameOf(value.callee) !== local) continue
    const [only, ...more] = value.arguments
    if (only === undefined || more.length > 0) return undefined
    return { statement, handler: name, argument: source.text.slice(only.start, only.end) }
  }
  return undefined
}

function declared(statement: Statement): { name: string | undefined; value: Expression | undefined } {
  if (statement.type === "ExportDefaultDeclaration") return { name: undefined, value: exportedValue(statement) }
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
  const first = declaration?.type === "VariableDeclaration" ? declaration.declarations[0] : undefined
  if (first === undefined) return { name: undefined, value: undefined }
  return {
    name: first.id.type === "Identifier" ? first.id.name : undefined,
    value: first.init ? bare(first.init) : undefined,
  }
}

function exportedValue({ declaration }: ExportDefaultDeclaration): Expression | undefined {
  const { type } = declaration
  const isValue = type === "CallExpression" || type === "Identifier" || type === "TSAsExpression"
  return isValue ? bare(declaration) : undefined
}

const exported = ["handlers", "auth", "signIn", "signOut"]

function line(argument: string, semicolon: string): string {
  return `export const { ${exported.join(", ")} } = NextAuth(${argument})${semicolon}`
}

/** Moves the whole file, which contains the options. */
function moved(app: App, source: Source, { statement, handler, argument }: HandlerCall): Setup | undefined {
  const [, folder = "", letter = "t"] = handlerPath.exec(source.path) ?? []
  const module = `${folder}auth.${letter}s`
  if (app.draft.get(module) !== undefined) {
    app.draft.note(`${module} exists already. ${manually}`, source.path)
    return undefined
  }
  if (clash(app, source)) return undefined
  const { semicolon } = styleOf(source)
  const rebased = specifiersIn(source)
    .filter(({ value }) => value.startsWith("."))
    .flatMap((specifier): Edit[] => {
      const target = app.modules.resolve(source.path, specifier.value)
      return target === undefined ? [] : [renamed(specifier, app.modules.nameFor(module, target, specifier.value))]
    })
  const removed =
    handler === undefined ? [] : source.program.body.filter((other) => other !== statement && exports(other, handler))
  const edits = [
    ...rebased,
    { start: statement.start, end: statement.end, text: line(argument, semicolon) },
    ...removed.map(({ start, end }) => ({ start, end: pastNewline(source.text, end), text: "" })),
  ]
  app.draft.set(module, `${applied(source.text, edits).trimEnd()}\n`)
  return { module, movedFrom: source.path }
}

/** `export { handler as GET }`, `export default handler`, `export const GET = handler` */
function exports(statement: Statement, handler: string): boolean {
  if (statement.type === "ExportNamedDeclaration" && statement.specifiers.length > 0) {
    return statement.specifiers.some(({ local }) => nameOf(local) === handler)
  }
  const { value } = declared(statement)
  return value?.type === "Identifier" && value.name === handler && statement.type.startsWith("Export")
}

/** Adds the exports to the file that contains the options. */
function extended(app: App, module: string, options: Binding | undefined): Setup | undefined {
  const source = sourceOf(app, module)
  if (source === undefined || options === undefined) return undefined
  if (options.imported === "default" || options.imported === "*") {
    app.draft.note(`exports the options without a name. ${manually}`, module)
    return undefined
  }
  if (clash(app, source)) return undefined
  const { semicolon, newline } = styleOf(source)
  const known = bindingOf(source, "default", /^next-auth$/)
  const end = source.text.trimEnd().length
  change(app, source, [
    ...(known === undefined ? [importEdit(source, "NextAuth", "next-auth")] : []),
    insert(end, newline + newline + line(options.imported, semicolon)),
  ])
  return { module, movedFrom: undefined }
}

function clash(app: App, source: Source): boolean {
  const names = [
    ...bindingsOf(source).map(({ local }) => local),
    ...source.program.body.map((statement) => declared(statement).name),
  ]
  const taken = exported.filter((name) => names.includes(name))
  if (taken.length > 0) app.draft.note(`already declares ${taken.join(" and ")}. ${manually}`, source.path)
  return taken.length > 0
}

function writeRoute(app: App, path: string, { module }: Setup, like: string | undefined): void {
  const [, folder = "", letter = "t"] = handlerPath.exec(path) ?? []
  const route = `${folder}app/api/auth/[...nextauth]/route.${letter}s`
  const from = app.modules.nameFor(route, module, like?.startsWith(".") === true ? undefined : like)
  if (path !== route) app.draft.set(path, undefined)
  app.draft.set(route, `import { handlers } from "${from}"\n\nexport const { GET, POST } = handlers\n`)
}

/** Imports of options from the old API route now import from `auth.ts`. */
export function redirectImports(app: App, { module, movedFrom }: Setup): void {
  if (movedFrom === undefined) return
  for (const path of app.files) {
    const source = path === movedFrom ? undefined : sourceOf(app, path)
    if (source === undefined) continue
    const edits = specifiersIn(source)
      .filter(({ value }) => app.modules.resolve(path, value) === movedFrom)
      .map((specifier) => renamed(specifier, app.modules.nameFor(path, module, specifier.value)))
    change(app, source, edits)
  }
}

function pastNewline(text: string, end: number): number {
  const after = lineEnd(text, end)
  return after + (/^\r?\n/.exec(text.slice(after))?.[0].length ?? 0)
}
