import { isInexact } from "../primitives/exact-json.js"

/** Texts that name no user. All users without an id would share that account. */
const noIds: ReadonlySet<string> = new Set(["undefined", "null", "NaN", "Infinity", "-Infinity", "[object Object]"])

/** What JavaScript writes for a number of 1e21 and more, or of less than 1e-6. Its last digits are lost. */
const exponent = /^-?\d(?:\.\d+)?e[+-]\d+$/

/**
 * The id that a callback returned, as text. Databases have numbers and big integers. `undefined`: it names no user, or it's a
 * number that was rounded, which could name two.
 */
export function idText(id: unknown): string | undefined {
  if (typeof id === "number" && Number.isInteger(id) && isInexact(id)) return undefined
  const text = typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : ""
  return text.trim() === "" || noIds.has(text) || exponent.test(text) ? undefined : text
}

/** How deep ids are in the responses of services, and then some. */
const maxDepth = 8

/**
 * The path of a rounded number in `value` that the text of an id was made from, such as `user.id`. Code of the application
 * may have parsed the response, and converted the number to text.
 */
export function roundedSource(text: string, value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === "number") return isInexact(value) && isMadeFrom(text, value) ? path.join(".") : undefined
  if (typeof value !== "object" || value === null || path.length === maxDepth) return undefined
  for (const [key, member] of Object.entries(value)) {
    const found = roundedSource(text, member, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/** A rounded integer has 16 digits or more, so it may be a part of the id. */
function isMadeFrom(text: string, value: number): boolean {
  const written = [String(value), ...(Number.isInteger(value) && value !== 0 ? [BigInt(value).toString()] : [])]
  return written.some((each) => each === text || (each.length >= 16 && text.includes(each)))
}
