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
  const [local, domain, ...rest] = text.split("@")
  if (text.length > longestAddress || local === undefined || domain === undefined || rest.length > 0) throw refused()
  const host = asciiHost(domain)
  if (local.length > 64 || !localPart.test(local) || host === undefined) throw refused()
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
  if (/[^\p{L}\p{N}\p{M}.-]/u.test(domain)) return undefined
  const host = URL.canParse(`https://${domain}`) ? new URL(`https://${domain}`).hostname : ""
  const labels = host.split(".")
  const isName = labels.length > 1 && !/^\d+$/.test(labels.at(-1) ?? "")
  return isName && labels.every((part) => label.test(part)) ? host : undefined
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
