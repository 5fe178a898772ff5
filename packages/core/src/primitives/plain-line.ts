/**
 * Text that a user typed, on one line: without what databases can't store and what changes the direction of the text around it.
 * Longer text is cut off.
 *
 * @param maxLength in characters as users count them
 * @returns `null` if nothing is left
 */
export function plainLine(given: string, maxLength: number): string | null {
  const plain = given.slice(0, maxLength * 4).replace(/[\s\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]+/gu, " ")
  const line = Array.from(plain.trim()).slice(0, maxLength).join("").trim()
  return line === "" ? null : line
}
