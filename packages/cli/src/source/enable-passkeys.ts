import { Failure } from "../failure.js"
import type { Configuration } from "./configurations.js"
import { applied, type Edit } from "./edits.js"
import { propertyEdit } from "./insert.js"
import { propertyOf } from "./providers.js"
import { bare, parse, type Source } from "./syntax.js"

const option = "enableWebAuthn"
const setting = `${option}: true`

/**
 * The text of the file after setting `experimental.enableWebAuthn`. Undefined if it's set already.
 *
 * @throws Failure with the line to add, if `experimental` isn't an object literal
 */
export function withPasskeysEnabled(source: Source, { object }: Configuration): string | undefined {
  const experimental = propertyOf(object, "experimental")
  const value = experimental === undefined ? undefined : bare(experimental.value)
  if (value === undefined) return changed(source, propertyEdit(source, object, `experimental: { ${setting} }`))
  if (value.type !== "ObjectExpression") throw notALiteral(source)
  const flag = propertyOf(value, option)
  if (flag === undefined) return changed(source, propertyEdit(source, value, setting))
  const written = bare(flag.value)
  if (written.type !== "Literal" || written.value === true) return undefined
  return changed(source, { start: flag.start, end: flag.end, text: setting })
}

function changed(source: Source, edit: Edit): string {
  const text = applied(source.text, [edit])
  parse(source.path, text)
  return text
}

function notALiteral({ path }: Source): Failure {
  return new Failure(
    `\`experimental\` in ${path} isn't an object literal. Add \`${setting}\` to it yourself, and try again.`,
  )
}
