import type { Messages } from "../../../i18n/messages.js"
import type { CredentialInput } from "../../../model/credentials-provider.js"
import type { SignInField } from "../../../model/flow.js"
import { type Fields, labelOf, typeOf } from "../../../html/fields.js"
import { isAllowed } from "../../../html/html.js"

/** The fields of a provider, as on the built-in page. */
export function fieldsOf(t: Messages, fields: Fields): readonly SignInField[] {
  return Object.entries(fields).map(([name, given]) => fieldOf(t, name, given))
}

/** HTML ignores the case of names, and an application may use the spelling of React. */
function lowercase(given: CredentialInput): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
}

function fieldOf(t: Messages, name: string, input: CredentialInput): SignInField {
  const given = lowercase(input)
  const type = typeOf(name, input)
  const required = given.get("required")
  const autocomplete = textOf(given.get("autocomplete")) ?? (type === "password" ? "current-password" : undefined)
  const texts = { autocomplete, placeholder: textOf(given.get("placeholder")), value: textOf(given.get("value")) }
  const attributes = [...given].filter(isOther)
  return {
    name,
    label: labelOf(name, input, t),
    type,
    required: required !== undefined && required !== null && required !== false,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

/** These are properties of the field, or are for the page to choose. */
const others: ReadonlySet<string> = new Set(["autocomplete", "id", "name", "placeholder", "required", "type", "value"])

function isOther(entry: readonly [string, unknown]): entry is [string, string | number | boolean] {
  const [name, value] = entry
  return !others.has(name) && isAllowed(name) && ["string", "number", "boolean"].includes(typeof value)
}
