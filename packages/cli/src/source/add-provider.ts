import type { ArrayExpression, ObjectExpression } from "oxc-parser"
import { Failure } from "../failure.js"
import type { Configuration } from "./configurations.js"
import { applied, type Edit, insert } from "./edits.js"
import { type EnvironmentAccess, environmentIn } from "./environment.js"
import { type Binding, bindingsOf, importEdit, lineEnd, namesIn, styleOf } from "./imports.js"
import { providersOf } from "./providers.js"
import { nameOf, parse, type Source, textOf, walk } from "./syntax.js"

/** A provider to add. */
export interface NewProvider {
  readonly id: string
  /** The last part of its import, such as `github`. */
  readonly module: string
  readonly exportName: string
  /** The source text of its options. Undefined for a provider that isn't called. */
  readonly options: ((read: EnvironmentAccess["read"]) => string) | undefined
}

/**
 * The text of the file after adding the import and the list element. Undefined if the file has the provider already.
 *
 * @throws Failure with the lines to add, if the list isn't an array literal
 */
export function withProvider(source: Source, configuration: Configuration, provider: NewProvider): string | undefined {
  const from = `${configuration.from}/providers/${provider.module}`
  const known = importedFrom(source, from)
  const local = known?.local ?? freeName(source, provider.exportName)
  const list = providersOf(source, configuration.object)
  const { element, edits: access } = elementFor(source, configuration, { ...provider, local })
  if (list.kind === "computed") throw notALiteral(source, element, `import ${local} from "${from}"`)
  if (list.kind === "array" && mentions(list.array, known?.local, provider.id)) return undefined
  const edits = [
    ...(known === undefined ? [importEdit(source, local, from)] : []),
    ...access,
    ...(list.kind === "array"
      ? elementEdits(source, list.array, element)
      : [propertyEdit(source, configuration.object, `providers: [${element}]`)]),
  ]
  const text = applied(source.text, edits)
  parse(source.path, text)
  return text
}

/** The element of the list, and the changes that its options need. */
function elementFor(
  source: Source,
  configuration: Configuration,
  { local, options }: { readonly local: string; readonly options: NewProvider["options"] },
): { readonly element: string; readonly edits: readonly Edit[] } {
  if (options === undefined) return { element: local, edits: [] }
  const { read, edits } = environmentIn(source, configuration)
  return { element: `${local}(${options(read)})`, edits }
}

function importedFrom(source: Source, from: string): Binding | undefined {
  return bindingsOf(source).find(
    (binding) => binding.from === from && binding.imported === "default" && !binding.isType,
  )
}

function notALiteral({ path }: Source, element: string, statement: string): Failure {
  return new Failure(
    `The providers in ${path} aren't an array literal. Add these lines yourself:\n\n  ${statement}\n  providers: […, ${element}]\n`,
  )
}

function freeName(source: Source, wanted: string): string {
  const taken = namesIn(source)
  const names = [
    wanted,
    `${wanted}Provider`,
    ...Array.from({ length: 99 }, (_, index) => `${wanted}Provider${index + 2}`),
  ]
  return names.find((name) => !taken.has(name)) ?? wanted
}

/** Also finds the provider in a condition or a call. */
function mentions(array: ArrayExpression, local: string | undefined, id: string): boolean {
  let found = false
  walk(array, (node) => {
    if (local !== undefined && node.type === "Identifier" && node.name === local) found = true
    if (node.type === "Property" && nameOf(node.key) === "id" && textOf(node.value) === id) found = true
  })
  return found
}

/** Inserts a property before the others, on its own line if they have their own lines. */
export function propertyEdit({ text, ...source }: Source, object: ObjectExpression, property: string): Edit {
  const first = object.properties[0]
  const { newline } = styleOf({ text, ...source })
  if (first === undefined) return { start: object.start, end: object.end, text: `{ ${property} }` }
  const indent = indentBefore(text, first.start)
  return insert(first.start, indent === undefined ? `${property}, ` : `${property},${newline}${indent}`)
}

/** Inserts after the last element, on its own line if the others have their own lines. */
function elementEdits(source: Source, array: ArrayExpression, element: string): Edit[] {
  const { text } = source
  const last = array.elements.findLast((one) => one !== null)
  if (last === undefined || last === null) return [insert(array.end - 1, inEmpty(source, array, element))]
  const indent = indentBefore(text, last.start)
  if (indent === undefined) return [insert(last.end, `, ${element}`)]
  const { newline } = styleOf(source)
  const comma = commaAfter(source, last.end)
  if (comma === undefined) {
    return [insert(last.end, ","), insert(lineEnd(text, last.end), `${newline}${indent}${element}`)]
  }
  return [insert(lineEnd(text, comma), `${newline}${indent}${element},`)]
}

/** An empty array may contain a comment and span several lines. */
function inEmpty({ text, ...source }: Source, array: ArrayExpression, element: string): string {
  const inside = text.slice(array.start + 1, array.end - 1)
  if (!inside.includes("\n")) return inside.trim() === "" ? element : ` ${element}`
  const { newline } = styleOf({ text, ...source })
  const outer = /[ \t]*$/.exec(inside)?.[0] ?? ""
  return `  ${element},${newline}${outer}`
}

/** The white space between the start of the line and the offset. Undefined if there is other text. */
function indentBefore(text: string, at: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at)
  return /^[ \t]*$/.test(line) && at > line.length ? line : undefined
}

/** The offset after the next comma. Skips comments. */
function commaAfter({ text, comments }: Source, from: number): number | undefined {
  let at = from
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    const comment = comments.find(({ start }) => start === at)
    if (comment === undefined) return text.charAt(at) === "," ? at + 1 : undefined
    at = comment.end
  }
}
