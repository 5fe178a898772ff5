/** Replaces the text between two offsets; the same offset twice inserts. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function insert(at: number, text: string): Edit {
  return { start: at, end: at, text }
}

/** The text after all edits, which may not overlap. Insertions at one place keep their order. */
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
