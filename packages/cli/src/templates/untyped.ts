import type { Node } from "oxc-parser"
import { applied, type Edit } from "../source/edits.js"
import { lineEnd } from "../source/imports.js"
import { parse, type Source, walk } from "../source/syntax.js"

/** The JavaScript of a TypeScript file: without types, and without the lines that have only types. */
export function untyped(path: string, text: string): string {
  const source = parse(path, text)
  const edits = new Map<number, Edit>()
  walk(source.program, (node) => {
    const edit = removal(source, node)
    const isInside = [...edits.values()].some(({ start, end }) => start <= node.start && node.end <= end)
    if (edit !== undefined && !isInside) edits.set(edit.start, edit)
  })
  return applied(text, [...edits.values()])
    .replace(/^\n+/, "")
    .replaceAll(/\n{3,}/g, "\n\n")
}

const declarations = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "TSModuleDeclaration"])
const annotations = new Set(["TSTypeAnnotation", "TSTypeParameterInstantiation", "TSTypeParameterDeclaration"])

function removal({ text }: Source, node: Node): Edit | undefined {
  if (declarations.has(node.type)) {
    const isExported = text.slice(0, node.start).endsWith("export ")
    return wholeLines(text, isExported ? node.start - "export ".length : node.start, node.end)
  }
  if (annotations.has(node.type)) return { start: node.start, end: node.end, text: "" }
  if (node.type === "TSSatisfiesExpression" || node.type === "TSAsExpression")
    return { start: node.expression.end, end: node.end, text: "" }
  if (node.type === "ImportDeclaration" && node.importKind === "type") return wholeLines(text, node.start, node.end)
  return node.type === "ImportSpecifier" && node.importKind === "type" ? specifier(text, node) : undefined
}

/** With the comment directly above it, and the end of the line. */
function wholeLines(text: string, from: number, to: number): Edit {
  const comment = /(?:^[ \t]*(?:\/\/|\/\*\*|\*|\/\*).*\n)+$/m.exec(text.slice(0, from))
  const end = lineEnd(text, to)
  return { start: comment?.index ?? from, end: text.charAt(end) === "\n" ? end + 1 : end, text: "" }
}

/** With the comma after it, or the one before it. */
function specifier(text: string, { start: from, end: to }: Node): Edit {
  const after = /^\s*,\s*/.exec(text.slice(to))
  if (after !== null) return { start: from, end: to + after[0].length, text: "" }
  const before = /,\s*$/.exec(text.slice(0, from))
  return { start: from - (before?.[0].length ?? 0), end: to, text: "" }
}
