/** Characters of a number as people type it. */
const longest = 40

/** At most 15 digits, and the first isn't 0 (ITU-T E.164 §6). */
const e164 = /^\+[1-9]\d{6,14}$/

/**
 * A number in E.164. `null`: it isn't one.
 *
 * @param country the calling code of a number without one
 */
export function numberIn(given: string, country?: string): string | null {
  if (given.length > longest) return null
  const written = given
    .normalize("NFKC")
    // The trunk prefix, which isn't dialed from abroad: +44 (0)20 …
    .replace(/^(\s*(?:\+|00).*)\(0\)/, "$1")
    .replace(/[\s()./\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
  const number = written.replace(/^00/, "+")
  const full = number.startsWith("+") || country === undefined ? number : country + national(number, country)
  return e164.test(full) ? full : null
}

/** In Italy, the 0 is part of the number. */
function national(number: string, country: string): string {
  return country === "+39" ? number : number.replace(/^0/, "")
}
