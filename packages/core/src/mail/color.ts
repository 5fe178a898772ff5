/** Red, green, blue from 0 to 255. */
type Rgb = readonly [number, number, number]

/** What every mail program understands: a name, hexadecimal digits, or `rgb()` of three whole numbers. */
const name = /^[a-z]{3,24}$/i
const hexadecimal = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
const functional = /^rgb\( ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?\)$/i

/** The colour if it is one that may stand in a message, and nothing else. */
export function mailColor(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined
  const color = value.trim()
  return [name, hexadecimal, functional].some((form) => form.test(color)) ? color : undefined
}

/** The names that people do write here. */
const knownNames: ReadonlyMap<string, Rgb> = new Map([
  ["black", [0, 0, 0]],
  ["white", [255, 255, 255]],
])

/** `undefined` for any other name: what it stands for is not known here. */
function rgbOf(color: string): Rgb | undefined {
  const named = knownNames.get(color.toLowerCase())
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

/** WCAG 2.2, contrast ratio, from 1 to 21; `undefined` where a brightness is not known. */
export function contrast(a: string, b: string): number | undefined {
  const [first, second] = [rgbOf(a), rgbOf(b)]
  if (first === undefined || second === undefined) return undefined
  const [one, other] = [luminance(first), luminance(second)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

const usual = { background: "#346df1", text: "#fff" } as const

/** WCAG 2.2 §1.4.3. */
const readable = 4.5

/**
 * The colours of the button: those of the theme, unless nobody could read it. A name says nothing of its brightness: it
 * is used only together with a text colour that the developer has chosen for it.
 */
export function buttonColors(brandColor: unknown, buttonText: unknown): { background: string; text: string } {
  const [brand, text] = [mailColor(brandColor), mailColor(buttonText)]
  if (brand === undefined || (text === undefined && contrast(brand, "#fff") === undefined))
    return withText(usual.background, text)
  return withText(brand, text)
}

function withText(background: string, wanted: string = usual.text): { background: string; text: string } {
  const ratio = contrast(background, wanted)
  if (ratio === undefined || ratio >= readable) return { background, text: wanted }
  return { background, text: (contrast(background, "#fff") ?? 0) >= readable ? "#fff" : "#000" }
}
