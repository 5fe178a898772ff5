import type { Statement } from "oxc-parser"
import { applied, type Edit, insert } from "../source/edits.js"
import { type Binding, bindingsOf, importEdit, lineEnd, styleOf } from "../source/imports.js"
import { nameOf, parse, type Source } from "../source/syntax.js"
import { type App, change, lineOf, sourceOf } from "./app.js"
import { existingSetups, exportsAuth } from "./existing-setup.js"
import { callAt, callOf, declared, type HandlerCall, handlerCall } from "./handler-call.js"
import { bindingOf, removedImports, usesOf } from "./names.js"
import { isRouteSetting, type RoutePath, routePath, type Setup, settingsOf, writeRoute } from "./route.js"
import { callsOf, optionsOf } from "./sessions.js"
import { renamed, specifiersIn } from "./specifiers.js"

const manually = "Write `auth.ts` yourself, as docs/migrating-from-next-auth.md describes."

/** Moves the options from each API route of version 4 to `auth.ts`, and writes a new route. */
export function moveSetups(app: App): Setup[] {
  const existing = existingSetups(app)
  const paths = app.all.filter((file) => routePath(file) !== undefined)
  const setups = [...existing, ...paths.flatMap((path) => moveSetup(app, path) ?? [])]
  return paths.length > 0 || existing.length > 0 ? setups : [sharedSetup(app)].filter((setup) => setup !== undefined)
}

/** In a package without a route, such as one that several applications share, the options get the exports. */
function sharedSetup(app: App): Setup | undefined {
  for (const path of app.files) {
    const source = sourceOf(app, path)
    const old = source === undefined ? undefined : bindingOf(source, "getServerSession", /^next-auth(?:\/next)?$/)
    if (source === undefined || old === undefined) continue
    const options = optionsOf(source, callsOf(source, old.local))
    const module = options === undefined ? undefined : app.modules.resolve(path, options.from)
    const route = {
      folder: folderOf(module ?? path),
      isInApp: true,
      below: "",
      letter: /\.[cm]?js/.test(path) ? "j" : "t",
    }
    if (module !== undefined && options !== undefined) return extended({ app, source, route }, module, options)
  }
  return undefined
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1)
}

function moveSetup(app: App, path: string): Setup | undefined {
  const source = sourceOf(app, path)
  const route = routePath(path)
  if (source === undefined || route === undefined) return undefined
  const local = nextAuthIn(source)
  if (exportsAuth(source)) return undefined
  if (local === undefined) return withoutImport({ app, source, route })
  const call = handlerCall(source, local)
  if (call === undefined) {
    app.draft.leave(`creates its handler in an unusual way. ${manually}`, lineOf(source, callAt(source, local) ?? 0))
    return undefined
  }
  const options = bindingsOf(source).find((binding) => binding.local === call.argument)
  const setup = setupFor({ app, source, route }, call, options)
  if (setup !== undefined) writeRoute(app, source, route, setup, options?.from)
  return setup
}

/** The options are in another file of the application, or in the route itself. */
function setupFor(old: OldRoute, call: HandlerCall, options: Binding | undefined): Setup | undefined {
  const target = options === undefined ? undefined : old.app.modules.resolve(old.source.path, options.from)
  return target === undefined || options === undefined ? moved(old, call) : extended(old, target, options)
}

/** The name of `NextAuth` in the file. */
function nextAuthIn(source: Source): string | undefined {
  return bindingOf(source, "default", /^next-auth(?:\/next)?$/)?.local
}

/** The handler comes from another file, or from `require`, which stays. */
function withoutImport(old: OldRoute): Setup | undefined {
  const setup = reexported(old)
  const required = specifiersIn(old.source).find(({ value }) => /^next-auth(?:\/next)?$/.test(value))
  if (setup === undefined && required !== undefined) {
    const where = lineOf(old.source, required.start)
    old.app.draft.leave(`creates its handler in an unusual way. ${manually}`, where)
  }
  return setup
}

/** The route only exports a handler that another file creates: that file gets the exports instead of the handler. */
function reexported(old: OldRoute): Setup | undefined {
  const { app, source } = old
  for (const { value } of specifiersIn(source)) {
    const path = app.modules.resolve(source.path, value)
    const other = path === undefined ? undefined : sourceOf(app, path)
    const local = other === undefined ? undefined : nextAuthIn(other)
    const call = other === undefined || local === undefined ? undefined : handlerCall(other, local)
    if (other !== undefined && call !== undefined) return replacedIn(old, other, call, value)
  }
  return undefined
}

function replacedIn(old: OldRoute, other: Source, call: HandlerCall, like: string): Setup | undefined {
  const { app, source, route } = old
  const wrapper = ownWrapper(other)
  const taken = takenNames(other, [call.statement, wrapper])
  if (taken.length > 0) {
    app.draft.leave(`already declares ${taken.join(" and ")}. ${manually}`, lineOf(other, call.statement.start))
    return undefined
  }
  const { handler, statement, argument } = call
  const removed = other.program.body.filter(
    (one) => one === wrapper || (one !== statement && handler !== undefined && exports(one, handler)),
  )
  change(app, other, [
    { start: statement.start, end: statement.end, text: line(argument, styleOf(other).semicolon) },
    ...removed.map(({ start, end }) => ({ start, end: pastNewline(other.text, end), text: "" })),
  ])
  const setup = { module: other.path, movedFrom: undefined, settings: settingsOf(source) }
  writeRoute(app, source, route, setup, like)
  return setup
}

/** A route of version 4. */
interface OldRoute {
  readonly app: App
  readonly source: Source
  readonly route: RoutePath
}

const exported = ["handlers", "auth", "signIn", "signOut"]

function line(argument: string, semicolon: string): string {
  return `export const { ${exported.join(", ")} } = NextAuth(${argument})${semicolon}`
}

/** Moves the whole file, which contains the options. */
function moved({ app, source, route }: OldRoute, { statement, handler, argument }: HandlerCall): Setup | undefined {
  const module = freeModule(app, route)
  const taken = takenNames(source, [statement])
  if (taken.length > 0) {
    app.draft.leave(`already declares ${taken.join(" and ")}. ${manually}`, source.path)
    return undefined
  }
  const { semicolon, newline } = styleOf(source)
  const rebased = specifiersIn(source)
    .filter(({ value }) => value.startsWith("."))
    .flatMap((specifier): Edit[] => {
      const target = app.modules.resolve(source.path, specifier.value)
      return target === undefined ? [] : [renamed(specifier, app.modules.nameFor(module, target, specifier.value))]
    })
  const removed = source.program.body.filter(
    (other) => other !== statement && ((handler !== undefined && exports(other, handler)) || isRouteSetting(other)),
  )
  const inside = [statement, ...removed]
  const edits = [
    ...rebased.filter((edit) => !inside.some(({ start, end }) => edit.start >= start && edit.end <= end)),
    { start: statement.start, end: statement.end, text: line(argument, semicolon) },
    ...removed.map(({ start, end }) => ({ start, end: pastNewline(source.text, end), text: "" })),
  ]
  app.draft.set(module, `${withoutUnused(module, applied(source.text, edits)).trimEnd()}${newline}`)
  return { module, movedFrom: source.path, settings: settingsOf(source) }
}

/** The types of a handler's parameters are unused after the handler is gone. */
function withoutUnused(path: string, text: string): string {
  const source = parse(path, text)
  const unused = bindingsOf(source).filter(
    ({ local, from }) => /^next(?:\/server)?$/.test(from) && usesOf(source, local) === 0,
  )
  return applied(text, removedImports(source, unused))
}

/** `auth.ts`, or another name if that file exists. */
function freeModule(app: App, { folder, letter }: RoutePath): string {
  const names = ["auth", "lib/auth", "next-auth", "auth-instance"].map((name) => `${folder}${name}`)
  const isFree = (name: string) =>
    ["ts", "tsx", "js", "jsx", "mjs"].every((extension) => app.draft.get(`${name}.${extension}`) === undefined) &&
    !app.all.some((path) => path.startsWith(`${name}/index.`))
  return `${names.find(isFree) ?? `${folder}latchkey`}.${letter}s`
}

/** `export { handler as GET }`, `export default handler`, `export const GET = handler` */
function exports(statement: Statement, handler: string): boolean {
  if (statement.type === "ExportNamedDeclaration" && statement.specifiers.length > 0) {
    return statement.specifiers.some(({ local }) => nameOf(local) === handler)
  }
  const { value } = declared(statement)
  return value?.type === "Identifier" && value.name === handler && statement.type.startsWith("Export")
}

/** Adds the exports to the file that contains the options. If they don't fit there, writes `auth.ts`. */
function extended(old: OldRoute, module: string, options: Binding): Setup | undefined {
  const { app } = old
  const source = sourceOf(app, module)
  if (source === undefined) return undefined
  const local = localOf(source, options)
  const wrapper = ownWrapper(source)
  if (local === undefined || takenNames(source, [wrapper]).length > 0) return separate(old, module, options)
  const { semicolon, newline } = styleOf(source)
  const known = bindingOf(source, "default", /^next-auth(?:\/next)?$/)
  const end = source.text.trimEnd().length
  change(app, source, [
    ...(known === undefined ? [importEdit(source, "NextAuth", "next-auth")] : []),
    wrapper === undefined
      ? insert(end, newline + newline + line(local, semicolon))
      : { start: wrapper.start, end: wrapper.end, text: line(local, semicolon) },
  ])
  return { module, movedFrom: undefined, settings: settingsOf(old.source) }
}

/** The name of the options in the file that exports them. */
function localOf({ program }: Source, { imported }: Binding): string | undefined {
  for (const statement of program.body) {
    if (statement.type === "ExportDefaultDeclaration" && imported === "default") return nameOf(statement.declaration)
    if (statement.type !== "ExportNamedDeclaration" || statement.source !== null) continue
    if (declared(statement).name === imported) return imported
    const found = statement.specifiers.find(({ exported }) => nameOf(exported) === imported)
    if (found !== undefined) return nameOf(found.local)
  }
  return undefined
}

/** `function auth(...args) { return getServerSession(...args, config) }`, as the documentation of version 4 shows it. */
function ownWrapper(source: Source): Statement | undefined {
  const statement = source.program.body.find((one) => declared(one).name === "auth")
  const session = bindingOf(source, "getServerSession", /^next-auth(?:\/next)?$/)?.local
  const { value } = statement === undefined ? { value: undefined } : declared(statement)
  return value !== undefined && session !== undefined && callOf(value, session) !== undefined ? statement : undefined
}

/** Writes a file of its own, because the other one has no place for the exports. */
function separate({ app, source, route }: OldRoute, module: string, { imported }: Binding): Setup {
  const path = freeModule(app, route)
  const { quote, semicolon, newline } = styleOf(source)
  const clause = imported === "default" ? "authOptions" : imported === "*" ? "* as authOptions" : `{ ${imported} }`
  const from = app.modules.nameFor(path, module, undefined)
  const lines = [
    `import NextAuth from ${quote}next-auth${quote}${semicolon}`,
    `import ${clause} from ${quote}${from}${quote}${semicolon}`,
    "",
    line(imported === "default" || imported === "*" ? "authOptions" : imported, semicolon),
  ]
  app.draft.set(path, lines.join(newline) + newline)
  return { module: path, movedFrom: undefined, settings: settingsOf(source) }
}

/** The exports whose names the file uses already. */
function takenNames(source: Source, without: readonly (Statement | undefined)[]): string[] {
  const names = [
    ...bindingsOf(source).map(({ local }) => local),
    ...source.program.body.filter((one) => !without.includes(one)).map((statement) => declared(statement).name),
  ]
  return exported.filter((name) => names.includes(name))
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

/** A mock of the file that exports `auth` now needs it, too. */
export function noteMocks(app: App, { module }: Setup): void {
  for (const path of app.draft.codePaths(app.files)) {
    const source = sourceOf(app, path)
    if (source === undefined) continue
    for (const { value, start, isMock } of specifiersIn(source)) {
      if (!isMock || app.modules.resolve(path, value) !== module) continue
      app.draft.leave(`The code calls \`auth\` of ${module} now. Add it to the mock.`, lineOf(source, start))
    }
  }
}

function pastNewline(text: string, end: number): number {
  const after = lineEnd(text, end)
  return after + (/^\r?\n/.exec(text.slice(after))?.[0].length ?? 0)
}
