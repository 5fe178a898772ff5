/** Red, green, blue from 0 to 255. */
type Rgb = readonly [number, number, number]

/** The formats that every email client supports: a name, hexadecimal digits, or `rgb()` with three integers. */
const name = /^[a-z]{3,24}$/i
const hexadecimal = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
const functional = /^rgb\( ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?\)$/i

/** Accepts only plain colors, because the value goes into a style attribute. */
export function mailColor(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined
  const color = value.trim()
  return [name, hexadecimal, functional].some((form) => form.test(color)) ? color : undefined
}

/** The color names that are most common in a theme. */
const namedColors: ReadonlyMap<string, Rgb> = new Map([
  ["black", [0, 0, 0]],
  ["white", [255, 255, 255]],
])

/** `undefined` for a color name that isn't in {@link namedColors}. */
function rgbOf(color: string): Rgb | undefined {
  const named = namedColors.get(color.toLowerCase())
  if (named !== undefined) return named
  if (hexadecimal.test(color)) {
    const digits = color.length === 4 ? color.slice(1).replace(/./g, "$&$&") : color.slice(1)
    const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16)
    return [part(0), part(2), part(4)]
  }
  const [, red, green, blue] = functional.exec(color) ?? []
  return blue === undefined ? undefined : [Number(red), Number(green), Number(blue)]
}

/** WCAG 2.2, relative luminance. */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(part: number): number {
  const share = Math.min(part, 255) / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** WCAG 2.2, contrast ratio from 1 to 21; `undefined` if the RGB values of a color name aren't known. */
export function contrast(a: string, b: string): number | undefined {
  const [first, second] = [rgbOf(a), rgbOf(b)]
  if (first === undefined || second === undefined) return undefined
  const [one, other] = [luminance(first), luminance(second)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

const defaults = { background: "#346df1", text: "#fff" } as const

/** WCAG 2.2 §1.4.3. */
const minContrast = 4.5

/**
 * The button colors of the theme. If their contrast is too low, the text becomes black or white. A color name with unknown
 * RGB values is used only together with a text color from the theme.
 */
export function buttonColors(brandColor: unknown, buttonText: unknown): { background: string; text: string } {
  const [brand, text] = [mailColor(brandColor), mailColor(buttonText)]
  if (brand === undefined || (text === undefined && contrast(brand, "#fff") === undefined))
    return withText(defaults.background, text)
  return withText(brand, text)
}

function withText(background: string, wanted: string = defaults.text): { background: string; text: string } {
  const ratio = contrast(background, wanted)
  if (ratio === undefined || ratio >= minContrast) return { background, text: wanted }
  return { background, text: (contrast(background, "#fff") ?? 0) >= minContrast ? "#fff" : "#000" }
}
