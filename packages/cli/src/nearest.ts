import { distance } from "fastest-levenshtein"

/** The words that may have been meant, closest first. A word that begins like the typed one counts as close. */
export function nearest(typed: string, words: readonly string[]): string[] {
  const scored = words.map((word) => ({ word, distance: word.startsWith(typed) ? 1 : distance(typed, word) }))
  const limit = Math.max(1, Math.floor(typed.length / 3))
  return scored
    .filter((one) => one.distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ word }) => word)
}
