import type { ArrayExpression } from "oxc-parser"
import { Failure } from "../failure.js"
import type { Configuration } from "./configurations.js"
import { applied, type Edit } from "./edits.js"
import { type EnvironmentAccess, environmentIn } from "./environment.js"
import { type Binding, bindingsOf, importEdit } from "./imports.js"
import { elementEdits, freeName, propertyEdit } from "./insert.js"
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
  const local = known?.local ?? freeName(source, provider.exportName, "Provider")
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

/** Also finds the provider in a condition or a call. */
function mentions(array: ArrayExpression, local: string | undefined, id: string): boolean {
  let found = false
  walk(array, (node) => {
    if (local !== undefined && node.type === "Identifier" && node.name === local) found = true
    if (node.type === "Property" && nameOf(node.key) === "id" && textOf(node.value) === id) found = true
  })
  return found
}
