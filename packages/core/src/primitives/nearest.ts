/**
 * The words that may have been meant, closest first. Two letters in the wrong order count as one mistake, and a word that
 * begins like the typed one is close. Case doesn't count.
 */
export function nearest(typed: string, words: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(typed.length / 3))
  return words
    .map((word) => ({ word, mistakes: mistakesBetween(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= limit)
    .toSorted((a, b) => a.mistakes - b.mistakes)
    .map(({ word }) => word)
}

function mistakesBetween(typed: string, word: string): number {
  return word !== typed && word.startsWith(typed) ? 1 : distance(typed, word)
}

/** Optimal string alignment: how many letters to insert, remove, replace or swap. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const cells = [row]
    for (let column = 1; column <= other.length; column++) {
      const cell = (up: number, left: number) => (up === 0 ? cells : rows[row - up])?.[column - left] ?? 0
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const least = Math.min(cell(1, 0) + 1, cell(0, 1) + 1, cell(1, 1) + (isSame ? 0 : 1))
      cells.push(isSwapped ? Math.min(least, cell(2, 2) + 1) : least)
    }
    rows.push(cells)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
