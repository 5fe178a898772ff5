/** Lines of the surroundings of a change. */
const context = 3
/** More pairs of lines than these are not compared one by one. */
const mostPairs = 4_000_000

type Mark = " " | "-" | "+"
interface Line {
  readonly mark: Mark
  readonly text: string
}

/** What `diff -u` says; nothing where the texts are the same. Undefined: there is, or will be, no such file. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ""
  const lines = compare(linesOf(before ?? ""), linesOf(after ?? ""))
  const head = [
    `--- ${before === undefined ? "/dev/null" : `a/${path}`}`,
    `+++ ${after === undefined ? "/dev/null" : `b/${path}`}`,
  ]
  return [...head, ...hunks(lines)].join("\n")
}

function linesOf(text: string): string[] {
  const lines = text.split("\n")
  if (lines.at(-1) === "") lines.pop()
  return lines
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const same = (text: string): Line => ({ mark: " ", text })
  return [
    ...before.slice(0, start).map(same),
    ...changed(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

/** The longest common subsequence stays, the rest goes and comes. */
function changed(before: readonly string[], after: readonly string[]): Line[] {
  const gone = (text: string): Line => ({ mark: "-", text })
  const come = (text: string): Line => ({ mark: "+", text })
  if (before.length * after.length > mostPairs) return [...before.map(gone), ...after.map(come)]
  const lengths = lengthsOf(before, after)
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0
  const lines: Line[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const [left, right] = [before[row], after[column]]
    if (left !== undefined && left === right) {
      lines.push({ mark: " ", text: left })
      row++
      column++
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(gone(left))
      row++
    } else if (right !== undefined) {
      lines.push(come(right))
      column++
    }
  }
  return lines
}

/** At [i][j]: how many lines the ends from i and from j on have in common. */
function lengthsOf(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0))
  for (let row = before.length - 1; row >= 0; row--) {
    const [current, below] = [lengths[row] ?? [], lengths[row + 1] ?? []]
    for (let column = after.length - 1; column >= 0; column--) {
      const isSame = before[row] === after[column]
      current[column] = isSame ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, current[column + 1] ?? 0)
    }
  }
  return lengths
}

function hunks(lines: readonly Line[]): string[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== " "),
  )
  const result: string[] = []
  let [left, right] = [1, 1]
  for (let index = 0; index < lines.length; ) {
    let end = index
    while (end < lines.length && near[end] === near[index]) end++
    const part = lines.slice(index, end)
    const olds = part.filter(({ mark }) => mark !== "+").length
    const news = part.filter(({ mark }) => mark !== "-").length
    if (near[index] === true) {
      result.push(`@@ -${olds === 0 ? left - 1 : left},${olds} +${news === 0 ? right - 1 : right},${news} @@`)
      result.push(...part.map(({ mark, text }) => mark + text))
    }
    left += olds
    right += news
    index = end
  }
  return result
}
