import { canonicalEmail } from "../http/email-address.js"
import type { CredentialsProvider } from "../model/credentials-provider.js"

type Typed = Readonly<Record<string, unknown>>

/** Usual names of the field that identifies the user. */
const usualNames: ReadonlySet<string> = new Set([
  "username",
  "email",
  "login",
  "user",
  "identifier",
  "account",
  "phone",
  "name",
])

/**
 * The accounts that credentials may be for: the result of the provider's `identifier`, otherwise every field with a usual
 * name, otherwise the first visible field of the form. All such fields count, since `authorize` may use any of them and an
 * attacker could fill the others at random.
 */
export function identifiersOf({ id, identifier, credentials }: CredentialsProvider, typed: Typed): readonly string[] {
  const given = identifier === undefined ? likelyFields(credentials, typed).map(plain) : [identifier(typed) ?? ""]
  const names = new Set(given.map(normalIdentifier).filter((name) => name !== ""))
  return [...names].map((name) => `${id} ${name}`)
}

/** Fields whose values don't say who the user is, and differ between attempts of one user. */
const secretFields = /passw|pwd|passphrase|captcha|csrf|^(?:pass|pin|otp|totp|mfa)$/i

/**
 * What a browser becomes a known device for: exactly what was typed, except for the password. An attacker could otherwise
 * sign in as `ádá`, or with the name of the victim in a field that `authorize` doesn't use, to be known for the victim.
 */
export function deviceNamesOf(provider: CredentialsProvider, typed: Typed): readonly string[] {
  const { id, identifier, credentials } = provider
  const identifiers = identifiersOf(provider, typed)
  if (identifiers.length === 0) return []
  if (identifier !== undefined) return [`${id} ${identifier(typed)}`]
  const isSecret = (name: string) =>
    secretFields.test(name) || (credentials[name]?.type ?? "").toLowerCase() === "password"
  const fields = Object.entries(typed).filter(([name, value]) => !isSecret(name) && value !== "")
  return [`${id} ${JSON.stringify([identifiers, fields.toSorted(([one], [other]) => (one < other ? -1 : 1))])}`]
}

/** Spellings of one email have one limit. */
export function emailIdentifier(email: string): string {
  return normalIdentifier(canonicalEmail(email))
}

function likelyFields(form: CredentialsProvider["credentials"], typed: Typed): readonly unknown[] {
  const fields = Object.keys(form).length === 0 ? Object.keys(typed) : Object.keys(form)
  const named = fields.filter((field) => usualNames.has(field.toLowerCase()))
  const shown = Object.keys(form).filter((field) => !/^(?:password|hidden)$/i.test(form[field]?.type ?? "text"))
  return (named.length > 0 ? named : shown.slice(0, 1)).map((field) => typed[field])
}

/** The text that JavaScript makes of a value: `["ada"]` in JSON is another spelling of `ada`. */
function plain(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return Array.isArray(value) ? value.map(plain).join() : ""
}

/** Ignores case, accents and spaces, since some databases ignore them when they look up a user. */
export function normalIdentifier(text: string): string {
  // For ASCII the steps below change nothing else.
  if (plainText.test(text)) return text.toLowerCase()
  // `normalize` sorts combining marks, in quadratic time, so it gets none.
  return text.replace(ignored, "").normalize("NFKD").replace(ignored, "").toLowerCase()
}

const ignored = /[\p{M}\p{C}\p{Z}\s]/gu

const plainText = /^[!-~]*$/
