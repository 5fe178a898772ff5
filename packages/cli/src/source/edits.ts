/** Replaces the text between two offsets. Equal offsets insert it. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function insert(at: number, text: string): Edit {
  return { start: at, end: at, text }
}

/** Applies all edits, which must not overlap. Insertions at the same offset keep their order. */
export function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let from = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < from) throw new Error("Two edits overlap")
    parts.push(text.slice(from, edit.start), edit.text)
    from = edit.end
  }
  return [...parts, text.slice(from)].join("")
}
