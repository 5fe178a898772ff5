import { maxEmail, maxEmailInput, maxEmailLocal } from "../limits/of-input.js"
import type { Rules } from "../model/security.js"
import { isOneAddress } from "../provider-kit/email/mailbox.js"

/**
 * The form by which emails are compared: trimmed, NFC, lowercase, with the domain as DNS has it (UTS 46). Other characters of
 * the local part are never the same to a mail server (RFC 6532 §3.1), so it isn't NFKC, which makes `ª` an `a`.
 *
 * A text that isn't an email, such as a phone number, stays as it is.
 */
export function canonicalEmail(text: string): string {
  // Normalizing 60,000 combining marks takes 0.6 s.
  if (text.length > maxEmailInput) return text
  const email = text.trim().normalize("NFC").toLowerCase().normalize("NFC")
  const at = email.lastIndexOf("@")
  if (at === -1) return text
  const domain = email.slice(at + 1)
  // A dot at the end is the root of DNS.
  return `${email.slice(0, at)}@${asciiHost(domain.replace(/\.$/, "")) ?? domain}`
}

/** Whether two emails are spellings of the same one. */
export function sameMailbox(one: unknown, other: string): boolean {
  return one === other || (typeof one === "string" && canonicalEmail(one) === canonicalEmail(other))
}

/** The spellings under which a user may be stored: the email itself first, and its domain as ASCII and as Unicode. */
export function spellingsOf(email: string): ReadonlySet<string> {
  const canonical = canonicalEmail(email)
  const unicode = canonical.replace(encodedLabels, (label, text: string) => decodePunycode(text) ?? label)
  return new Set([email, canonical, ...(canonicalEmail(unicode) === canonical ? [unicode] : [])])
}

/** After the last `@`. */
const encodedLabels = /(?<=[@.])xn--([^.@]+)(?=[^@]*$)/g

/**
 * What a user typed, as Auth.js v5 stores it: NFKC, lowercase, trimmed. Under `"strict"` it's ASCII.
 *
 * @throws Error if a mail server or another parser may take it for several addresses, or for another one
 */
export function typedEmail(typed: string, { asciiEmails }: Pick<Rules, "asciiEmails">): string {
  if (typed.length > maxEmailInput) throw refused()
  const email = typed.normalize("NFKC").toLowerCase().trim()
  const kept = asciiEmails ? plainEmail(email) : email
  if (kept === undefined || !isSafe(email)) throw refused()
  return kept
}

function isSafe(email: string): boolean {
  const [local = "", domain = ""] = email.split("@")
  const fits = local.length <= maxEmailLocal && email.length <= maxEmail
  return fits && isOneAddress(email) && !mayReroute.test(local) && hostName.test(domain)
}

/** With `!` or `%`, a mail server may send on to another host. `=?` starts an encoded word that can contain anything (RFC 2047 §2). */
const mayReroute = /[!%]|=\?/

/** Other parsers end a host at `/`, `?`, `&` or `|`. */
const hostName = /^[\p{L}\p{M}\p{N}\p{So}._-]+$/u

function refused(): Error {
  return new Error("This isn't a plain email address. Enter one like name@example.com")
}

/**
 * The email of a profile as Auth.js v5 stores it, in lowercase. Under `"strict"` it's canonical and ASCII.
 *
 * @returns `undefined` if it can't be one email, so it's dropped
 */
export function profileEmail(given: string, { asciiEmails }: Pick<Rules, "asciiEmails">): string | undefined {
  if (given.length > maxEmailInput) return undefined
  if (misleading.test(asciiEmails ? given.trim() : given)) return undefined
  return asciiEmails ? plainEmail(given) : given.toLowerCase()
}

/**
 * Control characters and line breaks end a header. Users don't see the other ones, so a look-alike could have them. With a
 * comma, semicolon, angle bracket or second `@`, a mailer finds several addresses.
 */
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point},;<>]|@.*@/u

/** A dot-atom (RFC 5322 §3.4.1). */
const dotAtom = /^[a-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/

/** An ASCII email at a domain with a dot. */
function plainEmail(given: string): string | undefined {
  const email = canonicalEmail(given)
  const at = email.indexOf("@")
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  if (given.trimEnd().endsWith(".")) return undefined
  const isPlain = dotAtom.test(local) && !mayReroute.test(local) && domain.includes(".") && asciiHost(domain) === domain
  return isPlain && local.length <= maxEmailLocal && email.length <= maxEmail ? email : undefined
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Internationalized domains become Punycode (UTS 46), which mail servers look up. */
function asciiHost(domain: string): string | undefined {
  const address = `https://${domain}`
  if (/[^\p{L}\p{M}\p{N}\p{So}.-]/u.test(domain) || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  // `0x7f.1` is an IPv4 address for a URL, but not for a mail server.
  const isName = !/\.\d+$/.test(hostname)
  return isName && hostname.split(".").every((part) => label.test(part)) ? hostname : undefined
}

const digits = "abcdefghijklmnopqrstuvwxyz0123456789"

/**
 * Decodes what follows `xn--` in a label of a domain (RFC 3492 §6.2). Runtimes can only encode.
 *
 * @returns `undefined` if it isn't Punycode. The result isn't checked, so encode it again and compare
 */
function decodePunycode(text: string): string | undefined {
  const basic = Math.max(0, text.lastIndexOf("-"))
  const output = Array.from(text.slice(0, basic))
  let [code, position, bias] = [128, 0, 72]
  for (let at = basic === 0 ? 0 : basic + 1; at < text.length; ) {
    const before = position
    let weight = 1
    for (let k = 36; ; k += 36) {
      const digit = digits.indexOf(text[at++] ?? " ")
      if (digit === -1) return undefined
      position += digit * weight
      const threshold = Math.min(26, Math.max(1, k - bias))
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const length = output.length + 1
    bias = adapted(position - before, length, before === 0)
    code += Math.floor(position / length)
    position %= length
    if (code > 0x10_ff_ff) return undefined
    output.splice(position++, 0, String.fromCodePoint(code))
  }
  return output.join("")
}

/** RFC 3492 §6.1 */
function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
