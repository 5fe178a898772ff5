import type { CredentialsProvider } from "../model/credentials-provider.js"

type Typed = Readonly<Record<string, unknown>>

/** What forms call the field that says who somebody is. */
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
 * Whose account these credentials are for: what the provider's `identifier` says, else every field with one of the usual
 * names, else the first field of the form that is no password. Every one, since which of them `authorize` looks at is
 * not known, and the others could be filled with anything.
 */
export function identifiersOf({ id, identifier, credentials }: CredentialsProvider, typed: Typed): readonly string[] {
  const given = identifier === undefined ? likelyFields(credentials, typed).map(plain) : [identifier(typed) ?? ""]
  const names = new Set(given.map(normalIdentifier).filter((name) => name !== ""))
  return [...names].map((name) => `${id} ${name}`)
}

function likelyFields(form: CredentialsProvider["credentials"], typed: Typed): readonly unknown[] {
  const fields = Object.keys(form).length === 0 ? Object.keys(typed) : Object.keys(form)
  const named = fields.filter((field) => usualNames.has(field.toLowerCase()))
  const shown = Object.keys(form).filter((field) => !/^(?:password|hidden)$/i.test(form[field]?.type ?? "text"))
  return (named.length > 0 ? named : shown.slice(0, 1)).map((field) => typed[field])
}

/** As a program that expects text would read it: `["ada"]` in JSON is a way of writing `ada`. */
function plain(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return Array.isArray(value) ? value.map(plain).join() : ""
}

/** Coarser than any comparison of a database, some of which know neither case nor accents nor spaces at the end. */
export function normalIdentifier(text: string): string {
  // What follows changes nothing else in it.
  if (plainText.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{C}\p{Z}\s]/gu, "")
    .toLowerCase()
}

const plainText = /^[!-~]*$/
