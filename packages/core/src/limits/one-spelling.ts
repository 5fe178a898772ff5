import { canonicalEmail } from "../http/email-address.js"

/**
 * One spelling of all that a database may take for the same name. MySQL and MariaDB compare without case and accents by
 * default, as other databases may. Each of their collations has further letters that are equal: `ß` is `ss` or `s`, `ø` is
 * `o`, `ς` is `σ`. `tests/adapters/spellings.test.ts` compares every character with the collations of MariaDB.
 *
 * Collations of one language are the exception. They contradict the others, such as `ä` as `ae` in utf8mb4_german2_ci.
 */
export function normalIdentifier(text: string): string {
  // For ASCII the steps below change nothing else.
  if (plainText.test(text)) return withoutDoubles(text.toLowerCase())
  if (rare.test(text)) return rareName
  // `normalize` sorts combining marks, in quadratic time, so it gets none.
  const visible = text.replace(ignored, "")
  const bare = visible.normalize("NFKD").replace(withoutWeight, "")
  if (rare.test(bare) || numberSign.test(bare)) return rareName
  // Nothing but symbols: the users have nothing that tells them apart in every database.
  if (bare === "" && visible !== "") return rareName
  // Upper case also folds `ſ`, `ı` and ligatures.
  const folded = bare.toLowerCase().toUpperCase().toLowerCase()
  const usual = folded.replace(otherAlphabet, inUsualAlphabet)
  const known = usual.replace(unlike, (letter) => letters.get(letter) ?? letter)
  return withoutDoubles(known.replace(digit, digitOf))
}

/** Spellings of one email have one limit. */
export function emailIdentifier(email: string): string {
  return normalIdentifier(canonicalEmail(email))
}

const plainText = /^[!-~]*$/
const ignored = /[\p{M}\p{C}\p{Z}\s]/gu

/** What some databases ignore: symbols, modifier letters, and characters beyond the first 65,536, such as emoji. */
const withoutWeight = /[^\p{L}\p{N}!-~]|\p{Lm}|[\u{10000}-\u{3FFFF}]/gu

/** Some databases compare `ß` like `ss`, others like `s`. */
function withoutDoubles(name: string): string {
  return name.replace(/s+/g, "s")
}

/**
 * Characters that hardly any name has, and that a database takes for ordinary ones: `𝐚`, `ᷓ` and `❶` are `a`, `a` and `1`. All
 * names with one share a limit, so nothing is gained by them.
 */
const rareName = "\uFFFD"
const rare = new RegExp(
  `[${[
    // Phonetic and medieval letters, old Cyrillic, ligatures without a decomposition.
    "\u018D\u01BE\u0238\u0239\u02A3-\u02AB\u037A\u03CF\u03D7\u1EFA\u1EFB\u214D\u2CE4\uA640-\uA7FF\uAB30-\uAB6F",
    // Letters that combine with others.
    "\u0345\u0363-\u036F\u1AB0-\u1AFF\u1D00-\u1DFF\u2DE0-\u2DFF",
    // Hebrew, Arabic and Syriac variants.
    "\u05EF-\u05F2\u0674-\u0678\u06E5\u06E6\u06FD\u06FE\u0714\u071C\u0724\u0727\u072D-\u072F\u0870-\u08FF\uFBDD\uFDFA\uFE73",
    // Other scripts: variants, or all of a script that is hardly used online.
    "\u07E8-\u07EA\u0C5D\u0CDD\u0D4E\u0D54-\u0D56\u0F00\u0F6A\u16A0-\u16FF\u1900-\u1AAF\u1B00-\u1C8F\u1CC0-\u1CFF",
    "\u312E\u31A0-\u31FF\uA500-\uA63F\uA8F2-\uA9FF",
    // Radicals and abbreviations.
    "\u2E80-\u2EFF\u3006\u303C\u{2F800}-\u{2FA1F}",
    // Mathematical alphabets, enclosed letters, rare scripts, but neither flags nor other emoji.
    "\u{10000}-\u{1F1E5}\u{1F200}-\u{1F2FF}\u{1FB00}-\u{1FBFF}",
  ].join("")}]`,
  "u",
)
/** A number that isn't a decimal digit, such as `❶`. */
const numberSign = /(?!\p{Nd})\p{N}/u

/** Letters that have no decomposition, and small hiragana, each with what it equals. */
const letters = new Map(
  "đd ðd ħh łl øo ŧt æae œoe þth ςσ ґг ךכ םמ ןנ ףפ ץצ ৎত ൺണ ൻന ർര ൽല ൾള ൿക ဿသသ ぁあ ぃい ぅう ぇえ ぉお ゕか ゖけ っつ ゃや ゅゆ ょよ ゎわ"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
)
const unlike = new RegExp(`[${[...letters.keys()].join("")}]`, "g")

const digit = /(?!\d)\p{Nd}/gu

/** Each script has its digits in a row. */
function digitOf(sign: string): string {
  const code = sign.charCodeAt(0)
  let zero = code
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** Katakana, and the lower case of the old capitals of Georgian, which is another alphabet. */
const otherAlphabet = /[\u30A1-\u30F6\u2D00-\u2D25]/g

/** Both alphabets have the same order, so hiragana and today's Georgian are at a fixed distance. */
function inUsualAlphabet(letter: string): string {
  const code = letter.charCodeAt(0)
  return String.fromCharCode(code - (code > 0x30_00 ? 0x60 : 0x1c_30))
}
