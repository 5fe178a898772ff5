import type { ImportDeclaration } from "oxc-parser"
import type { Edit } from "../source/edits.js"
import { type Binding, bindingsOf, lineEnd, namesIn } from "../source/imports.js"
import { nameOf, type Node, type Source, textOf, walk } from "../source/syntax.js"

/** How often the file uses a name, without its import. */
export function usesOf({ program }: Source, name: string): number {
  let uses = 0
  walk(program, (node, above) => {
    const isImport = above.some(({ type }) => type === "ImportDeclaration")
    if (node.type === "Identifier" && node.name === name && !isImport) uses++
  })
  return uses
}

/** Removes names from imports, and imports without any name left. */
export function removedImports(source: Source, removed: readonly Binding[]): Edit[] {
  return source.program.body.flatMap((statement) => {
    if (statement.type !== "ImportDeclaration") return []
    const from = statement.source.value
    const isRemoved = (local: string) => removed.some((binding) => binding.from === from && binding.local === local)
    const kept = statement.specifiers.filter(({ local }) => !isRemoved(local.name))
    if (kept.length === statement.specifiers.length) return []
    return [
      kept.length === 0 ? wholeLine(source, statement) : { ...clauseOf(source, statement), text: clause(source, kept) },
    ]
  })
}

function wholeLine({ text }: Source, { start, end }: ImportDeclaration): Edit {
  const after = lineEnd(text, end)
  const newline = /^\r?\n/.exec(text.slice(after))?.[0].length ?? 0
  return { start, end: after + newline, text: "" }
}

/** The range between `import` or `import type`, and the module. */
function clauseOf({ text }: Source, { source, start }: ImportDeclaration): { start: number; end: number } {
  const keywords = /^import\s+(?:type\s+(?=[{*]|\w+\s+from\b))?/.exec(text.slice(start))?.[0] ?? ""
  return { start: start + keywords.length, end: source.start }
}

function clause({ text }: Source, kept: ImportDeclaration["specifiers"]): string {
  const written = (specifier: { readonly start: number; readonly end: number }) =>
    text.slice(specifier.start, specifier.end)
  const unbraced = kept.filter(({ type }) => type !== "ImportSpecifier").map(written)
  const named = kept.filter(({ type }) => type === "ImportSpecifier").map(written)
  return `${[...unbraced, ...(named.length === 0 ? [] : [`{ ${named.join(", ")} }`])].join(", ")} from `
}

const oldTypes = /^(?:NextAuthOptions|AuthOptions)$/
const oldModule = /^next-auth(?:\/next)?$/
/** A list that can be changed. Latchkey's option also accepts other values. */
const providerList = 'import("next-auth/providers").Provider[]'

/** Version 5 renamed `NextAuthOptions` to `NextAuthConfig`. */
export function renamedTypes(source: Source): Edit[] {
  const bindings = bindingsOf(source).filter(({ from }) => oldModule.test(from))
  const types = bindings.filter(({ imported }) => oldTypes.test(imported))
  const names = new Set(types.flatMap(({ local, imported }) => [local, imported]))
  const namespaces = new Set(bindings.filter(({ imported }) => imported === "*").map(({ local }) => local))
  const edits = new Map<number, Edit>()
  walk(source.program, (node, above) => {
    const parent = above.at(-1)
    if (isProviderList(node, names)) edits.set(node.start, { start: node.start, end: node.end, text: providerList })
    else if (isOldType(node, parent, names, namespaces) && !edits.has(node.start))
      edits.set(node.start, { start: node.start, end: node.end, text: "NextAuthConfig" })
  })
  return [...edits.values(), ...renamedInComments(source)]
}

/** `NextAuthOptions["providers"]` */
function isProviderList(node: Node, names: ReadonlySet<string>): boolean {
  if (node.type !== "TSIndexedAccessType" || node.objectType.type !== "TSTypeReference") return false
  const { indexType, objectType } = node
  const index = indexType.type === "TSLiteralType" ? textOf(indexType.literal) : undefined
  return index === "providers" && names.has(nameOf(objectType.typeName) ?? "")
}

/** `NextAuthOptions`, `NextAuth.NextAuthOptions`, and in the type of an import. */
function isOldType(
  node: Node,
  parent: Node | undefined,
  names: ReadonlySet<string>,
  namespaces: ReadonlySet<string>,
): boolean {
  if (node.type !== "Identifier") return false
  if (names.has(node.name)) return true
  if (!oldTypes.test(node.name)) return false
  if (parent?.type === "TSImportType") return oldModule.test(textOf(parent.source) ?? "")
  return parent?.type === "TSQualifiedName" && namespaces.has(nameOf(parent.left) ?? "")
}

/** The same in types that JSDoc imports. */
function renamedInComments({ text, comments }: Source): Edit[] {
  return comments.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(/(import\(["']next-auth["']\)\.)((?:Next)?AuthOptions)\b/g)].map((match) => {
      const [, before = "", name = ""] = match
      const at = start + match.index + before.length
      return { start: at, end: at + name.length, text: "NextAuthConfig" }
    }),
  )
}

/** The first of these names that the file doesn't use. */
export function freeName(source: Source, wanted: readonly string[]): string {
  const taken = namesIn(source)
  return wanted.find((name) => !taken.has(name)) ?? `${wanted[0] ?? "auth"}_`
}

export function bindingOf(source: Source, imported: string, from: RegExp): Binding | undefined {
  return bindingsOf(source).find((binding) => binding.imported === imported && from.test(binding.from))
}
