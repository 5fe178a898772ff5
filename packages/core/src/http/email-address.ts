import { maxEmail, maxEmailDomain, maxEmailInput, maxEmailLocal } from "../limits/of-input.js"

/**
 * A dot-atom (RFC 5322 §3.4.1). Quoted local parts confuse mail servers, `!` and `%` may route the message to another
 * host, and `=?` starts an encoded word that can contain anything (RFC 2047 §2).
 */
const localPart = /^(?!.*=\?)[a-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The normalized email, which is compared, stored and sent to: NFKC, lowercase, trimmed, with an ASCII domain that
 * contains a dot.
 *
 * @throws Error if the input isn't exactly one plain email address
 */
export function canonicalEmail(input: string): string {
  // Normalizing 60,000 combining marks takes 0.6 s.
  if (input.length > maxEmailInput) throw refused()
  const text = input.normalize("NFKC").trim().toLowerCase()
  const at = text.indexOf("@")
  const local = text.slice(0, at)
  if (at === -1 || local.length > maxEmailLocal || !localPart.test(local)) throw refused()
  const host = asciiHost(text.slice(at + 1))
  if (host === undefined) throw refused()
  const address = `${local}@${host}`
  // Checked at the end, since Punycode is longer than the input.
  if (address.length > maxEmail) throw refused()
  return address
}

function refused(): Error {
  return new Error("This isn't a plain email address. Enter one like name@example.com")
}

/** Internationalized domains become Punycode (UTS 46), which mail servers look up. */
function asciiHost(domain: string): string | undefined {
  // Punycode takes quadratic time.
  if (domain.length > maxEmailDomain) return undefined
  const address = `https://${domain}`
  if (/[^\p{L}\p{N}\p{M}.-]/u.test(domain) || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  const isName = hostname.includes(".") && !/\.\d+$/.test(hostname)
  return isName && hostname.split(".").every((part) => label.test(part)) ? hostname : undefined
}

/** Whether a stored email equals a normalized one. It may be stored in another spelling. */
export function sameMailbox(stored: unknown, identifier: string): boolean {
  if (stored === identifier) return true
  try {
    return typeof stored === "string" && canonicalEmail(stored) === identifier
  } catch {
    return false
  }
}
