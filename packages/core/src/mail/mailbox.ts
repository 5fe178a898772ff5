import { AuthError, EmailSignInError } from "../errors.js"

/** A sender, taken apart. */
export interface Mailbox {
  /** What is shown beside the address. */
  readonly name: string | undefined
  readonly address: string
}

const address = String.raw`[^\s<>()[\]\\,;:"@\p{C}]+@[^\s<>()[\]\\,;:"@\p{C}]+`
const bare = new RegExp(`^${address}$`, "u")
const named = new RegExp(
  String.raw`^(?:"(?<quoted>(?:[^"\\\p{C}]|\\[^\p{C}])*)"|(?<plain>[^"<>@\p{C}]*?))\s*<(?<address>${address})>$`,
  "u",
)

/**
 * `hello@acme.example` or `Acme <hello@acme.example>` (RFC 5322 §3.4), and one of them.
 *
 * @throws AuthError when it is anything else: a second address or a line break would reach the header
 */
export function mailboxOf(from: string): Mailbox {
  const text = from.trim()
  if (bare.test(text)) return { name: undefined, address: text }
  const { quoted, plain, address: found } = named.exec(text)?.groups ?? {}
  if (found === undefined) {
    throw new AuthError(
      "The sender of messages is not one address: write `from` as name@example.com or Name <name@example.com>",
    )
  }
  const name = (quoted?.replace(/\\(.)/gu, "$1") ?? plain ?? "").trim()
  return { name: name === "" ? undefined : name, address: found }
}

/** The sender as a header has it. */
export function written({ name, address }: Mailbox): string {
  if (name === undefined) return address
  return /[^\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]/u.test(name)
    ? `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`
    : `${name} <${address}>`
}

/**
 * The services take a recipient as text, in which a comma or a line break would begin another one.
 *
 * @throws EmailSignInError
 */
export function oneRecipient(identifier: string): string {
  if (bare.test(identifier)) return identifier
  throw new EmailSignInError("The recipient is not one plain address: let `normalizeIdentifier` refuse it")
}
