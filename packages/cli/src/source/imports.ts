import { type Edit, insert } from "./edits.js"
import { nameOf, type Source, walk } from "./syntax.js"

/** One name that a module imports. */
export interface Binding {
  /** In this module. */
  readonly local: string
  /** In the other one; `default`, or `*` for all of it. */
  readonly imported: string
  readonly from: string
  /** For the compiler only. */
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

/** How a file is written: what is added follows it. */
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

/** Adds an import behind those that are there, behind its like if there is one. `clause` is what stands before `from`. */
export function importEdit(source: Source, clause: string, from: string): Edit {
  const { quote, semicolon, newline } = styleOf(source)
  const line = `import ${clause} from ${quote}${from}${quote}${semicolon}`
  const imports = source.program.body.filter((statement) => statement.type === "ImportDeclaration")
  const kin = from.slice(0, from.lastIndexOf("/") + 1)
  const like = kin.endsWith("/providers/") ? imports.filter(({ source }) => source.value.startsWith(kin)) : []
  const before = like.at(-1) ?? imports.at(-1)
  if (before !== undefined) return insert(lineEnd(source.text, before.end), newline + line)
  return insert(top(source), line + newline + newline)
}

/** Behind directives such as "use server" and a hashbang. */
function top({ text, program }: Source): number {
  const directive = program.body.filter((statement) => "directive" in statement && statement.directive !== null).at(-1)
  const after = directive?.end ?? program.hashbang?.end
  if (after === undefined) return program.body[0] === undefined ? 0 : beforeComments(text, program.body[0].start)
  return Math.min(text.length, lineEnd(text, after) + 1)
}

/** The comment right above the first statement belongs to it; an import goes above both. */
function beforeComments(text: string, start: number): number {
  const comments = /(?:^[ \t]*(?:\/\/|\/\*|\*).*\r?\n)+$/m.exec(text.slice(0, start))
  return comments === null ? start : comments.index
}

/** The end of the line, unless another statement stands on it. */
export function lineEnd(text: string, from: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?[ \t]*(?=\r?\n|$)/.exec(text.slice(from))
  return from + (rest?.[0].trimEnd().length ?? 0)
}

/** Every name that the file uses for anything: a new one must be none of them. */
export function namesIn({ program }: Source): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program, (node) => {
    if (node.type === "Identifier" || node.type === "JSXIdentifier") names.add(node.name)
  })
  return names
}
