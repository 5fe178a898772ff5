type Color = readonly [red: number, green: number, blue: number]

/** `#abc` or `#aabbcc`, as numbers from 0 to 255. */
function parse(color: string): Color {
  const digits = color.length === 4 ? color.replace(/[\da-f]/gi, "$&$&") : color
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [1, 3, 5].map((at) =>
    Number.parseInt(digits.slice(at, at + 2), 16),
  )
  return [red, green, blue]
}

/** CSS Color 5 `color-mix(in srgb, color share, ground)`. */
export function mixed(color: string, share: number, ground: string): string {
  const below = parse(ground)
  const parts = parse(color).map((part, at) => Math.round(part * share + (below[at] ?? 0) * (1 - share)))
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`
}

/** The contrast ratio of WCAG 2.2. Text of normal size needs 4.5. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = parse(color)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
