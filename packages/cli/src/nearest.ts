/** The words that a slip of the finger, or a beginning, may have meant; the nearest first. */
export function nearest(typed: string, words: readonly string[]): string[] {
  const scored = words.map((word) => ({ word, distance: word.startsWith(typed) ? 1 : distance(typed, word) }))
  const limit = Math.max(1, Math.floor(typed.length / 3))
  return scored
    .filter((one) => one.distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** Levenshtein's: how many letters must be put in, taken out or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1]
    for (const [column, other] of Array.from(to).entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
