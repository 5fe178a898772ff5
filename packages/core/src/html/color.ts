const maxLength = 64

const component = String.raw`(?:[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:%|deg|grad|rad|turn)?|none)`

/** CSS Color 4: a name, hexadecimal digits, or a function with three or four plain numbers. */
const grammar: readonly RegExp[] = [
  /^[a-z]{3,24}$/i,
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  new RegExp(
    `^(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch)\\( ?${component}(?:(?: ?[,/] ?| )${component}){2,3} ?\\)$`,
    "i",
  ),
]

/** Accepts only plain colors, because the value goes into the style sheet unescaped. */
export function colorOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > maxLength) return undefined
  const color = value.trim()
  return grammar.some((form) => form.test(color)) ? color : undefined
}
