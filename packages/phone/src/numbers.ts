/** Characters of a number as people type it. */
const longest = 40

/** At most 15 digits, and the first isn't 0 (ITU-T E.164 §6). */
const e164 = /^\+[1-9]\d{6,14}$/

const separators = /[\s()./\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Calling codes of countries whose trunk prefix is 0, and whose numbers don't begin with 0 behind it. */
const trunkZero: readonly string[] =
  "+20 +27 +31 +32 +33 +40 +41 +43 +44 +46 +49 +60 +61 +62 +63 +64 +66 +81 +82 +84 +90 +91 +92 +94 +98 +212 +213 +233 +234 +254 +255 +256 +353 +358 +359 +380 +381 +385 +386 +387 +389 +421 +886 +962 +963 +964 +966 +971 +972".split(
    " ",
  )

/** Italy and San Marino, where the 0 is part of the number. */
const ownZero: readonly string[] = ["+39", "+378"]

/** Countries whose numbers may begin with the digits of the calling code, and how many digits such a number has. */
const ownDigits: Readonly<Record<string, number>> = { "+39": 10, "+45": 8, "+47": 8, "+55": 11, "+91": 10 }

/**
 * A number in E.164. `null`: it isn't one, or it could be several.
 *
 * @param country the calling code of a number without one
 */
export function numberIn(given: string, country?: string): string | null {
  if (given.length > longest) return null
  const number = international(compact(given.normalize("NFKC")), country)
  if (number === null) return null
  const full = withoutTrunk(number)
  return full !== null && e164.test(full) ? full : null
}

/** Without what people put between digits. `(0)` is the trunk prefix, which isn't dialed from abroad: +44 (0)20 … */
function compact(written: string): string {
  const digits = written.replace(separators, "")
  if (ownZero.some((code) => digits.startsWith(code) || digits.startsWith(`00${code.slice(1)}`))) return digits
  return written.replace(/^(\s*(?:\+|00).*)\(0\)/, "$1").replace(separators, "")
}

function international(number: string, country: string | undefined): string | null {
  if (number.startsWith("+")) return number
  // Where a number may be typed without its calling code, 00 could also be a trunk prefix that was typed twice.
  if (number.startsWith("00"))
    return country === undefined || number.startsWith(`00${country.slice(1)}`) ? `+${number.slice(2)}` : null
  return country === undefined ? null : national(number, country)
}

/** A number without a calling code. */
function national(number: string, country: string): string | null {
  const code = country.slice(1)
  if (country === "+1" && /^1\d{10}$/.test(number)) return `+${number}`
  // 447700900123: the + is missing, or it's a number that begins like this.
  if (number.startsWith(code) && number.length > (ownDigits[country] ?? 0)) return null
  const isTrunkKnown = trunkZero.includes(country) || ownZero.includes(country)
  return number.startsWith("0") && !isTrunkKnown ? null : country + number
}

/** People leave the trunk prefix behind the calling code: +44 07700 900123. */
function withoutTrunk(number: string): string | null {
  // Numbers of North America begin with 2 to 9.
  if (/^\+1[01]/.test(number)) return null
  const code = trunkZero.find((each) => number.startsWith(`${each}0`))
  if (code === undefined) return number
  const full = code + number.slice(code.length + 1)
  return full.startsWith(`${code}0`) ? null : full
}
