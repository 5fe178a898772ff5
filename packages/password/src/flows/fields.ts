import type { FactorForm, NewUser } from "@latchkey/core/module"
import type { SignUpField } from "../options.js"
import { type Context, type Site, typed } from "./site.js"
import { usernameIn, usernameInput, usernameProblem } from "./usernames.js"

const usernameField = "username"

export type FormFields = FactorForm["fields"]

/** What the visitor typed, by the name of the field. */
export type Typed = Readonly<Record<string, string>>

/** Fields that have texts. */
export const knownFields: ReadonlyMap<string, string> = new Map([
  ["name", "name"],
  ["givenName", "given-name"],
  ["familyName", "family-name"],
])

/** Code points. */
const maxLength = 200

/** The inputs of the fields that the application asks for. */
export function ownInputs(context: Context, site: Site, values: Typed = {}): FormFields {
  const { fields } = site
  const own = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { required = true, autocomplete = knownFields.get(name) } = field
      const value = Object.hasOwn(values, name) ? { value: values[name] } : {}
      const label = labelOf(context, name, field)
      const completion = autocomplete === undefined ? {} : { autocomplete }
      return [name, { type: "text", label, ...completion, required, maxlength: maxLength, ...value }]
    }),
  )
  return { ...own, ...usernameInput(context, site, values[usernameField]) }
}

function labelOf({ text, language }: Context, name: string, { label }: SignUpField): string {
  if (typeof label === "string") return label
  const own = label?.[language] ?? label?.[language.split("-")[0] ?? language] ?? label?.["en"]
  return own ?? (knownFields.has(name) ? text(name) : name)
}

/** What was typed into them. `error`: a field is empty or holds something else, or the username is taken. */
export async function typedFields(
  context: Context,
  site: Site,
): Promise<{ readonly values: Typed; readonly error?: string | undefined }> {
  const all = Object.entries(site.fields).map(([name, field]) => {
    const value = typed(context, name).normalize("NFC").trim()
    const isValid = isLine(value) && (value !== "" || field.required === false)
    return { name, value, problem: isValid ? undefined : labelOf(context, name, field) }
  })
  const username = typed(context, usernameField)
  const given = site.usernames ? { [usernameField]: usernameIn(username) ?? username.slice(0, 2 * maxLength) } : {}
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value.slice(0, 2 * maxLength)]))
  const wrong = all.find(({ problem }) => problem !== undefined)?.problem
  const error =
    wrong === undefined ? await usernameProblem(context, site, username) : context.text("checkField", { field: wrong })
  return { values: { ...values, ...given }, error }
}

/** One line, without characters that change the direction of the text around it. */
function isLine(value: string): boolean {
  if (value.length > 2 * maxLength || Array.from(value).length > maxLength) return false
  return !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u202A-\u202E\u2066-\u2069]/u.test(value)
}

export function newUserOf(fields: Typed): NewUser {
  const { name, givenName, familyName } = fields
  const whole = name ?? [givenName, familyName].filter(Boolean).join(" ")
  return { fields, ...(whole !== "" && { name: whole }) }
}
