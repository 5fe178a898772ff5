import type { ObjectExpression } from "oxc-parser"
import { Failure } from "../failure.js"
import type { Configuration } from "./configurations.js"
import { applied, type Edit, insert } from "./edits.js"
import { bindingsOf, importEdit } from "./imports.js"
import { elementEdits, freeName, propertyEdit } from "./insert.js"
import { listOf } from "./providers.js"
import { bare, type Expression, nameOf, type Node, parse, type Source, walk } from "./syntax.js"

/** A module to add. */
export interface NewModule {
  readonly package: string
  readonly exportName: string
  /** @default none */
  readonly options?: string
}

/**
 * The text of the file after adding the import and the module. Undefined if the file uses the module already.
 *
 * @throws Failure with the lines to add, if there is no literal to add the module to
 */
export function withModule(source: Source, configuration: Configuration, module: NewModule): string | undefined {
  const { exportName, options = "" } = module
  const known = bindingsOf(source).find(
    ({ from, imported, isType }) => from === module.package && imported === exportName && !isType,
  )
  if (known !== undefined && isUsed(source, known.local)) return undefined
  const local = known?.local ?? freeName(source, exportName, "Module")
  const clause = local === exportName ? `{ ${exportName} }` : `{ ${exportName} as ${local} }`
  const lines = { statement: `import ${clause} from "${module.package}"`, element: `${local}(${options})` }
  const edits = [
    ...(known === undefined ? [importEdit(source, clause, module.package)] : []),
    ...listEdits(source, configuration, lines),
  ]
  const text = applied(source.text, edits)
  parse(source.path, text)
  return text
}

interface Lines {
  readonly statement: string
  readonly element: string
}

/** The modules of a configuration function are in the second argument of the function that it's passed to. */
function listEdits(source: Source, { object }: Configuration, lines: Lines): readonly Edit[] {
  const list = `modules: [${lines.element}]`
  const place = placeOf(source, object)
  if (place === undefined) throw notInResult(source, lines)
  if (place.kind === "after") return [insert(place.argument.end, `, { ${list} }`)]
  const found = listOf(source, place.object, "modules")
  if (found.kind === "computed" && isSet(place.object)) throw notALiteral(source, lines)
  return found.kind === "array"
    ? elementEdits(source, found.array, lines.element)
    : [propertyEdit(source, place.object, list)]
}

/** A spread may bring modules, but rarely does. */
function isSet(object: ObjectExpression): boolean {
  return object.properties.some((property) => property.type === "Property" && nameOf(property.key) === "modules")
}

type Place =
  | { readonly kind: "in"; readonly object: ObjectExpression }
  /** The options of the configuration function are missing. */
  | { readonly kind: "after"; readonly argument: Expression }

function placeOf(source: Source, object: ObjectExpression): Place | undefined {
  const above = ancestorsOf(source, object)
  const at = above.findLastIndex(isFunction)
  const own = above[at]
  if (own === undefined) return { kind: "in", object }
  const call = above.slice(0, at).findLast((node) => bare(node) === node)
  if (call?.type !== "CallExpression" || nameOf(call.callee) === "$") return undefined
  const index = call.arguments.findIndex(({ start, end }) => start <= own.start && own.end <= end)
  const [argument, options] = call.arguments.slice(index)
  if (argument === undefined || argument.type === "SpreadElement") return undefined
  if (options === undefined) return { kind: "after", argument }
  return options.type === "ObjectExpression" ? { kind: "in", object: options } : undefined
}

function ancestorsOf(source: Source, wanted: Node): readonly Node[] {
  let found: readonly Node[] = []
  walk(source.program, (node, above) => {
    if (node === wanted) found = above
  })
  return found
}

function isFunction({ type }: Node): boolean {
  return type === "ArrowFunctionExpression" || type === "FunctionExpression" || type === "FunctionDeclaration"
}

function isUsed({ program }: Source, local: string): boolean {
  let found = false
  walk(program, (node, above) => {
    const isImport = above.some(({ type }) => type === "ImportDeclaration")
    if (node.type === "Identifier" && node.name === local && !isImport) found = true
  })
  return found
}

function notALiteral({ path }: Source, { statement, element }: Lines): Failure {
  return new Failure(
    `The modules in ${path} aren't an array literal. Add these lines yourself:\n\n  ${statement}\n  modules: […, ${element}]\n`,
  )
}

function notInResult({ path }: Source, { statement, element }: Lines): Failure {
  return new Failure(
    `The configuration in ${path} is a function. Pass its modules as the second argument, where it is used:\n\n  ${statement}\n  { modules: [${element}] }\n`,
  )
}
