import type { Messages } from "../i18n/messages.js"
import type { CredentialInput } from "../model/credentials-provider.js"
import type { SignInField } from "../model/flow.js"
import { defined } from "../primitives/defined.js"
import { isAllowed } from "./html.js"

export type Fields = Readonly<Record<string, CredentialInput>>

/** A field named `password` is one even if the application forgot its type. */
export function typeOf(key: string, { type }: CredentialInput): string {
  if (typeof type === "string") return type
  return key === "password" ? "password" : "text"
}

export function isPassword(key: string, field: CredentialInput): boolean {
  return typeOf(key, field).toLowerCase() === "password"
}

export function isShown({ type }: CredentialInput): boolean {
  return typeof type !== "string" || type.toLowerCase() !== "hidden"
}

export function labelOf(key: string, { label, ...attributes }: CredentialInput, { signin }: Messages): string {
  if (typeof label === "string") return label
  if (attributes["data-takes"] === "email username") return signin.emailOrUsername
  return key === "email" ? signin.email : key === "password" ? signin.password : key
}

const texts: ReadonlySet<string> = new Set(["text", "email", "tel"])

/** The first field that isn't secret says who the user is. */
export function identifierOf(fields: Fields): string | undefined {
  return Object.entries(fields).find(([key, field]) => texts.has(typeOf(key, field).toLowerCase()))?.[0]
}

/** The fields of a form for flows. */
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
    ...defined(texts),
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

/** The browser also offers passkeys in the field, if `autofill` names a provider of them. */
export function emailField(
  { signin }: Messages,
  { required, autofill }: { readonly required: boolean; readonly autofill: string | undefined },
): SignInField {
  return {
    name: "email",
    label: signin.email,
    type: "email",
    required,
    autocomplete: autofill === undefined ? "email" : "email webauthn",
    placeholder: signin.emailExample,
  }
}
