import { CredentialsSignin } from "../../errors.js"
import { maxIdentifiers } from "../../limits/of-input.js"
import { normalIdentifier } from "../../limits/one-spelling.js"
import type { CredentialsProvider } from "../../model/credentials-provider.js"
import { isSecretField, isUsual, leadOf } from "./identifying-fields.js"

type Typed = Readonly<Record<string, unknown>>

/**
 * The accounts that credentials may be for: the result of the provider's `identifier`, otherwise every field with a usual name
 * or with an email, declared or not, since `authorize` may use any of them and an attacker could fill the others at random. A
 * form that declares no usual name also has its first visible field. No field that is sent keeps another one from counting.
 *
 * @throws CredentialsSignin
 */
export function identifiersOf(provider: CredentialsProvider, typed: Typed): readonly string[] {
  const { id, identifier } = provider
  const given = identifier === undefined ? likelyNames(provider, typed) : [identifier(typed) ?? ""]
  const names = new Set(given.map(normalIdentifier).filter((name) => name !== ""))
  return [...names].map((name) => `${id} ${name}`)
}

/**
 * What a browser becomes a known device for: exactly what was typed, except for the password. An attacker could otherwise
 * sign in as `ádá`, or with the name of the victim in a field that `authorize` doesn't use, to be known for the victim.
 */
export function deviceNamesOf(provider: CredentialsProvider, typed: Typed): readonly string[] {
  const { id, identifier } = provider
  const identifiers = identifiersOf(provider, typed)
  if (identifiers.length === 0) return []
  if (identifier !== undefined) return [`${id} ${identifier(typed)}`]
  const fields = Object.entries(typed).filter(([name, value]) => !isSecretField(provider, name) && value !== "")
  return [`${id} ${JSON.stringify([identifiers, fields.toSorted(([one], [other]) => (one < other ? -1 : 1))])}`]
}

function likelyNames(provider: CredentialsProvider, typed: Typed): readonly string[] {
  const declared = Object.keys(provider.credentials)
  const lead = declared.some(isUsual) ? undefined : leadOf(provider)
  const names = Object.entries(typed).flatMap(([field, value]) => {
    const text = plain(value)
    const isName = field === lead || isUsual(field) || (!isSecretField(provider, field) && isEmail(text))
    return isName && text !== "" ? [text] : []
  })
  // One request must not use up the limits of many users, nor ask the store many times.
  if (names.length <= maxIdentifiers) return names
  throw new CredentialsSignin(`The form names the user in more than ${maxIdentifiers} fields. Send fewer`)
}

/** In any spelling that a database may know. */
function isEmail(text: string): boolean {
  if (!/[@\uFE6B\uFF20]/.test(text)) return false
  const [, domain, ...more] = normalIdentifier(text).split("@")
  return domain?.includes(".") === true && more.length === 0
}

/** The text that JavaScript makes of a value: `["ada"]` in JSON is another spelling of `ada`. */
function plain(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return Array.isArray(value) ? value.map(plain).join() : ""
}
