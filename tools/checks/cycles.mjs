// Tarjan's algorithm: the groups of files that reach each other.

/**
 * One cycle for each such group, first file repeated at the end.
 * @param {readonly { from: string, to: string }[]} edges
 * @returns {string[][]}
 */
export function cyclesIn(edges) {
  /** @type {Map<string, string[]>} */
  const next = new Map()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  return groupsOf(next).flatMap((group) => {
    const selfImport = group.length === 1 && next.get(group[0] ?? "")?.includes(group[0] ?? "") === true
    return group.length > 1 || selfImport ? [walk(group, next)] : []
  })
}

/** @param {Map<string, string[]>} next @returns {string[][]} */
function groupsOf(next) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const groups = []

  /** @param {string} file */
  function visit(file) {
    const state = { index: seen.size, low: seen.size, open: true }
    seen.set(file, state)
    stack.push(file)
    for (const to of next.get(file) ?? []) {
      const other = seen.get(to) ?? visit(to)
      if (other.open) state.low = Math.min(state.low, other.low)
    }
    if (state.low === state.index) groups.push(close(file))
    return state
  }

  /** @param {string} first */
  function close(first) {
    const group = stack.splice(stack.indexOf(first))
    for (const file of group) {
      const state = seen.get(file)
      if (state !== undefined) state.open = false
    }
    return group
  }

  for (const file of next.keys()) if (!seen.has(file)) visit(file)
  return groups
}

/** The shortest way from the first file of a group back to it. @param {string[]} group @param {Map<string, string[]>} next */
function walk(group, next) {
  const start = group[0] ?? ""
  /** @type {string[][]} */
  let paths = [[start]]
  while (paths.length > 0) {
    const longer = paths.flatMap((path) => (next.get(path.at(-1) ?? "") ?? []).map((to) => [...path, to]))
    const closed = longer.find((path) => path.at(-1) === start)
    if (closed !== undefined) return closed
    paths = longer.filter(
      (path) => group.includes(path.at(-1) ?? "") && path.indexOf(path.at(-1) ?? "") === path.length - 1,
    )
  }
  return group
}
