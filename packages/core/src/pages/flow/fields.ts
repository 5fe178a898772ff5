import type { CredentialInput } from "../../model/credentials-provider.js"
import type { SignInField } from "../../model/flow.js"
import { isAllowed } from "../html.js"

/** The fields of a provider, as on the built-in page. */
export function fieldsOf(fields: Readonly<Record<string, CredentialInput>>): readonly SignInField[] {
  return Object.entries(fields).map(([name, given]) => fieldOf(name, lowercase(given)))
}

/** HTML ignores the case of names, and an application may use the spelling of React. */
function lowercase(given: CredentialInput): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
}

function fieldOf(name: string, given: ReadonlyMap<string, unknown>): SignInField {
  const type = textOf(given.get("type")) ?? "text"
  const required = given.get("required")
  const autocomplete = textOf(given.get("autocomplete")) ?? (type === "password" ? "current-password" : undefined)
  const texts = { autocomplete, placeholder: textOf(given.get("placeholder")), value: textOf(given.get("value")) }
  const attributes = [...given].filter(isOther)
  return {
    name,
    label: textOf(given.get("label")) ?? name,
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
