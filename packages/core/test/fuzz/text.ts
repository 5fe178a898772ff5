import fc from "fast-check"

/** Characters that end a string, a line, a field or an element in some format. */
const pieces = [
  ..." \t\r\n\0\f\v\b\x7f;,=&?#%+.:@/\\|-_~!*'\"`<>()[]{}$^",
  "\r\n",
  "\r\n\r\n",
  "; ",
  "..",
  "//",
  "\\\\",
  "%00",
  "%0d%0a",
  "%2F",
  "%zz",
  "%",
  "%C0%AF",
  "%ED%A0%80",
  "&amp;",
  "&#x22;",
  "<!--",
  "-->",
  "</title>",
  "<script>",
  "\u00a0",
  "\u00e9",
  "\u0130",
  "\u212a",
  "\u2028",
  "\u202e",
  "\u3002",
  "\uff0e",
  "\uff20",
  "\ufeff",
  "\ufffd",
  "\ud800",
  "\udc00",
  "\u{1f511}",
  "e\u0301\u0301\u0301",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "undefined",
  "null",
  "NaN",
  "true",
  "0",
  "-1",
  "1e999",
  "9007199254740993",
  "xn--",
  "=?utf-8?q?a?=",
  "javascript:",
  "data:",
  "evil.test",
  "app.test",
  "a".repeat(70),
  "x".repeat(5000),
]

export const piece: fc.Arbitrary<string> = fc.constantFrom(...pieces)

/** Random text: any code points, or pieces with a meaning in some format. */
export const nasty: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 8 }).map(joined) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(piece, fc.integer({ min: 2, max: 300 })).map(([each, times]) => repeated(each, times)),
  },
)

function joined(parts: readonly string[]): string {
  return parts.join("")
}

function repeated(each: string, times: number): string {
  return each.repeat(each.length > 10 ? 2 : times)
}

interface Edit {
  readonly kind: "insert" | "remove" | "replace" | "repeat" | "swap" | "cut" | "case"
  /** A fraction of the length, so it fits any text. */
  readonly at: number
  readonly length: number
  readonly text: string
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("insert", "remove", "replace", "repeat", "swap", "cut", "case"),
  at: fc.integer({ min: 0, max: 9999 }).map((each) => each / 10_000),
  length: fc.integer({ min: 1, max: 12 }),
  text: fc.oneof(piece, fc.string({ maxLength: 4 })),
})

/** One to four changes to valid text, which reach most of a parser. */
export function mutated(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edits = fc.array(edit, { minLength: 1, maxLength: 4 })
  return fc.tuple(valid, edits).map(([text, changes]) => changes.reduce(apply, text))
}

function apply(text: string, { kind, at, length, text: given }: Edit): string {
  const start = Math.floor(at * (text.length + 1))
  const end = Math.min(text.length, start + length)
  const [before, found, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)]
  const results: Record<Edit["kind"], string> = {
    insert: before + given + found + after,
    remove: before + after,
    replace: before + given + after,
    repeat: before + found.repeat(3) + after,
    swap: before + [...found].toReversed().join("") + after,
    cut: before,
    case: before + (found === found.toUpperCase() ? found.toLowerCase() : found.toUpperCase()) + after,
  }
  return results[kind]
}

/** Text that the platform accepts in a header: bytes, without line breaks. */
export function headerText(text: string): string {
  return [...text]
    .map((each) => String.fromCharCode((each.codePointAt(0) ?? 0) & 0xff))
    .join("")
    .replace(/[\0\r\n]/g, "")
}

export const header: fc.Arbitrary<string> = nasty.map(headerText)

/** As the platform writes text with half a surrogate pair. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, "\ufffd")
}
