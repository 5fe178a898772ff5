import { AuthError, EmailSignInError } from "../../errors.js"

/** A parsed sender. */
export interface Mailbox {
  /** The display name. */
  readonly name: string | undefined
  readonly address: string
}

/** Everything but spaces, the characters that structure a header (RFC 5322 §3.2.3), and what users don't see. */
const atom = String.raw`[^\s<>()[\]\\,;:"@\p{C}\p{Default_Ignorable_Code_Point}]+`
const address = `${atom}@${atom}`
const bare = new RegExp(`^${address}$`, "u")
const named = new RegExp(
  String.raw`^(?:"(?<quoted>(?:[^"\\\p{C}]|\\[^\p{C}])*)"|(?<plain>[^"<>@\p{C}]*?))\s*<(?<address>${address})>$`,
  "u",
)

/**
 * Parses `hello@acme.example` or `Acme <hello@acme.example>` (RFC 5322 §3.4).
 *
 * @throws AuthError for anything else. A second email or a line break would end up in the header
 */
export function parseMailbox(from: string): Mailbox {
  const text = from.trim()
  if (bare.test(text)) return { name: undefined, address: text }
  const { quoted, plain, address: found } = named.exec(text)?.groups ?? {}
  if (found === undefined) {
    throw new AuthError("`from` isn't a single email. Write it as name@example.com or Name <name@example.com>.")
  }
  const name = (quoted?.replace(/\\(.)/gu, "$1") ?? plain ?? "").trim()
  return { name: name === "" ? undefined : name, address: found }
}

/** Formats the sender for a header, with quotes around the name where RFC 5322 requires them. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === undefined) return address
  return /[^\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]/u.test(name)
    ? `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`
    : `${name} <${address}>`
}

/** Whether a mailer finds exactly this address in the text, without a display name. */
export function isOneAddress(text: string): boolean {
  return bare.test(text)
}

/**
 * Email services parse the recipient, so a comma or a line break in it would add another recipient.
 *
 * @throws EmailSignInError
 */
export function oneRecipient(identifier: string): string {
  if (isOneAddress(identifier)) return identifier
  throw new EmailSignInError("The recipient isn't a single plain email. Reject such input in `normalizeIdentifier`.")
}
