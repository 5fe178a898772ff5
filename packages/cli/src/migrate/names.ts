import type { ImportDeclaration } from "oxc-parser"
import type { Edit } from "../source/edits.js"
import { type Binding, bindingsOf, lineEnd, namesIn } from "../source/imports.js"
import { type Source, walk } from "../source/syntax.js"

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
    return [kept.length === 0 ? wholeLine(source, statement) : { ...clauseOf(statement), text: clause(source, kept) }]
  })
}

function wholeLine({ text }: Source, { start, end }: ImportDeclaration): Edit {
  const after = lineEnd(text, end)
  const newline = /^\r?\n/.exec(text.slice(after))?.[0].length ?? 0
  return { start, end: after + newline, text: "" }
}

/** The range between `import` and `from`. */
function clauseOf({ specifiers, source, start }: ImportDeclaration): { start: number; end: number } {
  const first = specifiers[0]?.start ?? start
  return { start: Math.min(first, start + "import ".length), end: source.start }
}

function clause({ text }: Source, kept: ImportDeclaration["specifiers"]): string {
  const written = (specifier: { readonly start: number; readonly end: number }) =>
    text.slice(specifier.start, specifier.end)
  const unbraced = kept.filter(({ type }) => type !== "ImportSpecifier").map(written)
  const named = kept.filter(({ type }) => type === "ImportSpecifier").map(written)
  return `${[...unbraced, ...(named.length === 0 ? [] : [`{ ${named.join(", ")} }`])].join(", ")} from `
}

/** Version 5 renamed `NextAuthOptions` to `NextAuthConfig`. */
export function renamedTypes(source: Source): Edit[] {
  const bindings = bindingsOf(source).filter(
    ({ imported, from }) =>
      (imported === "NextAuthOptions" || imported === "AuthOptions") && /^next-auth(?:\/next)?$/.test(from),
  )
  if (bindings.length === 0) return []
  const names = new Set(bindings.map(({ local }) => local))
  const imported = new Set(bindings.map((binding) => binding.imported))
  const edits = new Map<number, Edit>()
  walk(source.program, (node) => {
    if (node.type !== "Identifier") return
    if (names.has(node.name) || imported.has(node.name)) {
      edits.set(node.start, { start: node.start, end: node.start + node.name.length, text: "NextAuthConfig" })
    }
  })
  return [...edits.values()]
}

/** The first of these names that the file doesn't use. */
export function freeName(source: Source, wanted: readonly string[]): string {
  const taken = namesIn(source)
  return wanted.find((name) => !taken.has(name)) ?? `${wanted[0] ?? "auth"}_`
}

export function bindingOf(source: Source, imported: string, from: RegExp): Binding | undefined {
  return bindingsOf(source).find((binding) => binding.imported === imported && from.test(binding.from))
}
