import type { Messages } from "../i18n/messages.js"
import type { CredentialInput } from "../model/credentials-provider.js"

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

export function labelOf(key: string, { label }: CredentialInput, { signin }: Messages): string {
  if (typeof label === "string") return label
  return key === "email" ? signin.email : key === "password" ? signin.password : key
}

const texts: ReadonlySet<string> = new Set(["text", "email", "tel"])

/** The first field that isn't secret says who the user is. */
export function identifierOf(fields: Fields): string | undefined {
  return Object.entries(fields).find(([key, field]) => texts.has(typeOf(key, field).toLowerCase()))?.[0]
}
