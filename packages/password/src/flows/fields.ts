import type { FactorForm, NewUser } from "@latchkey/core/module"
import type { PasswordOptions } from "../options.js"
import type { Context, Site } from "./site.js"
import { typed } from "./site.js"

export type FormFields = FactorForm["fields"]

/** What the visitor typed, by the name of the field. */
export type Typed = Readonly<Record<string, string>>

const known: Readonly<Record<keyof NonNullable<PasswordOptions["fields"]>, string>> = {
  name: "name",
  givenName: "given-name",
  familyName: "family-name",
}

/** Code points. */
const maxLength = 200

/** The inputs of the names. */
export function nameInputs(context: Context, { fields }: Site, values: Typed = {}): FormFields {
  return Object.fromEntries(
    fieldsOf(fields).map(({ name, required, autocomplete }) => {
      const value = values[name] === undefined ? {} : { value: values[name] }
      return [name, { type: "text", label: context.text(name), autocomplete, required, maxlength: maxLength, ...value }]
    }),
  )
}

function fieldsOf(fields: Site["fields"]) {
  return (["name", "givenName", "familyName"] as const).flatMap((name) => {
    const field = fields[name]
    return field === undefined ? [] : [{ name, required: field.required ?? true, autocomplete: known[name] }]
  })
}

/** What was typed into them. `error`: a field is empty or holds something else. */
export function typedNames(context: Context, { fields }: Site): { readonly values: Typed; readonly error?: string } {
  const all = fieldsOf(fields).map((field) => ({ ...field, value: typed(context, field.name).normalize("NFC").trim() }))
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value.slice(0, 2 * maxLength)]))
  const wrong = all.find(({ required, value }) => (required && value === "") || !isText(value))
  return wrong === undefined
    ? { values }
    : { values, error: context.text("checkField", { field: context.text(wrong.name) }) }
}

/** One line of visible text. */
function isText(value: string): boolean {
  return (
    [...value.slice(0, 2 * maxLength + 1)].length <= maxLength &&
    !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u202A-\u202E\u2066-\u2069]/u.test(value)
  )
}

/** What is stored with the user. */
export function newUserOf({ name, givenName, familyName }: Typed): NewUser {
  const whole = name ?? [givenName, familyName].filter(Boolean).join(" ")
  return whole === "" ? {} : { name: whole }
}
