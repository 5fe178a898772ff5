import { type Comment, type Expression, type Node, parseSync, type Program } from "oxc-parser"
import { Failure } from "../failure.js"

export type { Expression, Node, Program } from "oxc-parser"

/** A JavaScript or TypeScript file with its syntax tree. Positions are offsets into `text`. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly comments: readonly Comment[]
}

/**
 * @param code the code in the file, if it isn't the whole text. It has the same length.
 * @throws Failure with the line of the first error
 */
export function parse(path: string, text: string, code: string = text): Source {
  const { program, comments, errors } = parseSync(path, code, { lang: languageOf(path) })
  // A page of Astro may end its frontmatter with `return`.
  const [first] = path.endsWith(".astro") && program.body.length > 0 ? [] : errors
  if (first === undefined) return { path, text, program, comments }
  const at = first.labels[0]?.start
  const line = at === undefined ? "" : `:${text.slice(0, at).split("\n").length}`
  throw new Failure(`${path}${line} has a syntax error (${first.message}). Fix it first.`)
}

function languageOf(path: string): "dts" | "jsx" | "ts" | "tsx" {
  if (/\.d\.[cm]?ts$/.test(path)) return "dts"
  // Next.js allows JSX in .js files.
  if (/\.[cm]?jsx?$/.test(path)) return "jsx"
  return path.endsWith(".tsx") ? "tsx" : "ts"
}

/** Visits a node and its descendants in source order. `above` has the ancestors, the parent last. */
export function walk(
  node: Node,
  visit: (node: Node, above: readonly Node[]) => void,
  above: readonly Node[] = [],
): void {
  visit(node, above)
  const around = [...above, node]
  for (const child of Object.values(node)) {
    const list: readonly unknown[] = Array.isArray(child) ? child : [child]
    for (const item of list) if (isNode(item)) walk(item, visit, around)
  }
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && "type" in value && "start" in value && typeof value.type === "string"
  )
}

/** The expression without parentheses and type annotations. */
export function bare(expression: Expression): Expression
export function bare(node: Node): Node
export function bare(expression: Node): Node {
  switch (expression.type) {
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
      return bare(expression.expression)
    default:
      return expression
  }
}

/** The name of an identifier, or the text of a string literal. */
export function nameOf(node: Node): string | undefined {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name
  return textOf(node)
}

/** The value of a string literal. */
export function textOf(node: Node): string | undefined {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined
}

/** The initial value of a top-level variable. */
export function valueOf({ program }: Source, name: string): Expression | undefined {
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration?.type !== "VariableDeclaration") continue
    for (const { id, init } of declaration.declarations) {
      if (id.type === "Identifier" && id.name === name && init !== null) return init
    }
  }
  return undefined
}
