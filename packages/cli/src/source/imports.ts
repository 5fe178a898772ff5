import { type Edit, insert } from "./edits.js"
import { nameOf, type Source, walk } from "./syntax.js"

/** One imported name. */
export interface Binding {
  /** The name in this module. */
  readonly local: string
  /** The name in the other module, `default`, or `*`. */
  readonly imported: string
  readonly from: string
  /** Whether it's a type import. */
  readonly isType: boolean
}

export function bindingsOf({ program }: Source): Binding[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== "ImportDeclaration") return []
    const from = statement.source.value
    return statement.specifiers.map((specifier) => {
      const local = specifier.local.name
      const isType = statement.importKind === "type"
      if (specifier.type === "ImportDefaultSpecifier") return { local, imported: "default", from, isType }
      if (specifier.type === "ImportNamespaceSpecifier") return { local, imported: "*", from, isType }
      const imported = nameOf(specifier.imported) ?? local
      return { local, imported, from, isType: isType || specifier.importKind === "type" }
    })
  })
}

/** The style of a file, which new code follows. */
export interface Style {
  readonly quote: string
  readonly semicolon: string
  readonly newline: string
}

export function styleOf({ text, program }: Source): Style {
  const statements = program.body
  const first = statements.find((statement) => statement.type === "ImportDeclaration")
  const quote = first === undefined ? (/["']/.exec(text)?.[0] ?? '"') : text.charAt(first.source.start)
  const ends = statements.filter(({ type }) => type === "ImportDeclaration" || type === "VariableDeclaration")
  const last = (ends.length === 0 ? statements : ends).at(-1)
  const semicolon = last !== undefined && text.charAt(last.end - 1) === ";" ? ";" : ""
  return { quote, semicolon, newline: text.includes("\r\n") ? "\r\n" : "\n" }
}

/**
 * Adds an import after the existing ones. The import of a provider goes after those of other providers.
 *
 * @param clause the text between `import` and `from`
 */
export function importEdit(source: Source, clause: string, from: string): Edit {
  const { quote, semicolon, newline } = styleOf(source)
  const line = `import ${clause} from ${quote}${from}${quote}${semicolon}`
  const imports = source.program.body.filter((statement) => statement.type === "ImportDeclaration")
  const folder = from.slice(0, from.lastIndexOf("/") + 1)
  const siblings = folder.endsWith("/providers/") ? imports.filter(({ source }) => source.value.startsWith(folder)) : []
  const before = siblings.at(-1) ?? imports.at(-1)
  if (before !== undefined) return insert(lineEnd(source.text, before.end), newline + line)
  return insert(top(source), line + newline + newline)
}

/** After a hashbang and directives such as "use server". */
function top({ text, program }: Source): number {
  const directive = program.body.filter((statement) => "directive" in statement && statement.directive !== null).at(-1)
  const after = directive?.end ?? program.hashbang?.end
  if (after === undefined) return program.body[0] === undefined ? 0 : beforeComments(text, program.body[0].start)
  return Math.min(text.length, lineEnd(text, after) + 1)
}

/** A comment directly above the first statement belongs to it, so the import goes above the comment. */
function beforeComments(text: string, start: number): number {
  const comments = /(?:^[ \t]*(?:\/\/|\/\*|\*).*\r?\n)+$/m.exec(text.slice(0, start))
  return comments === null ? start : comments.index
}

/** The end of the line, with a comment on it. If another statement follows, the offset itself. */
export function lineEnd(text: string, from: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?[ \t]*(?=\r?\n|$)/.exec(text.slice(from))
  return from + (rest?.[0].trimEnd().length ?? 0)
}

/** All names in the file. A new name must differ from them. */
export function namesIn({ program }: Source): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program, (node) => {
    if (node.type === "Identifier" || node.type === "JSXIdentifier") names.add(node.name)
  })
  return names
}
