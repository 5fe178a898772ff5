/**
 * RFC 5321 §4.5.3.1, RFC 5322 §3.4.1: dot-atoms only; quoted local parts exist to confuse mailers. `!` and `%` route the
 * message on to another host, `=?` begins an encoded word (RFC 2047 §2) in which anything may stand.
 */
const localPart = /^(?!.*=\?)[a-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/
/** RFC 3696, erratum 1690: what fits into a path of SMTP. */
const longestAddress = 254
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one form in which an address is compared, stored and mailed: NFKC, lower case, without surrounding space,
 * the domain in ASCII and with a dot.
 *
 * @throws Error when it is not exactly one plain address
 */
export function canonicalEmail(input: string): string {
  const text = input.normalize("NFKC").trim().toLowerCase()
  const at = text.indexOf("@")
  const local = text.slice(0, at)
  const host = asciiHost(text.slice(at + 1))
  if (at === -1 || local.length > 64 || !localPart.test(local) || host === undefined) throw refused()
  const address = `${local}@${host}`
  // Punycode is longer than what was typed.
  if (address.length > longestAddress) throw refused()
  return address
}

function refused(): Error {
  return new Error("This is not a plain e-mail address: enter one like name@example.com")
}

/** Internationalised domains become punycode (UTS 46), the way the mailer will look them up. */
function asciiHost(domain: string): string | undefined {
  const address = `https://${domain}`
  if (/[^\p{L}\p{N}\p{M}.-]/u.test(domain) || !URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  const isName = hostname.includes(".") && !/\.\d+$/.test(hostname)
  return isName && hostname.split(".").every((part) => label.test(part)) ? hostname : undefined
}

/** Whether a stored address is this canonical one; it may have been stored in another spelling. */
export function sameMailbox(stored: unknown, identifier: string): boolean {
  if (stored === identifier) return true
  try {
    return typeof stored === "string" && canonicalEmail(stored) === identifier
  } catch {
    return false
  }
}
