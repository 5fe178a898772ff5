/** One assignment in the text of an env file, as dotenv and Node read it. */
export interface Assignment {
  readonly name: string
  readonly value: string
  /** Offsets of the whole assignment, without the end of its line. */
  readonly start: number
  readonly end: number
}

const assignment =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))[^\r\n]*/gm

/** All assignments in order; comments and lines that are none are left out. */
export function assignmentsIn(text: string): Assignment[] {
  return [...text.matchAll(assignment)].map((match) => {
    const [whole, name = "", double, single, back, bare = ""] = match
    const value = double?.replaceAll("\\n", "\n").replaceAll('\\"', '"') ?? single ?? back ?? withoutComment(bare)
    return { name, value, start: match.index, end: match.index + whole.length }
  })
}

function withoutComment(bare: string): string {
  return bare.replace(/\s*#.*$/, "").trim()
}

/** What the file sets; the last assignment of a name counts. */
export function variablesIn(text: string): ReadonlyMap<string, string> {
  return new Map(assignmentsIn(text).map(({ name, value }) => [name, value]))
}

/**
 * The text with these variables set: assignments that are there are replaced in place, others are appended. Every other
 * byte stays as it is.
 */
export function withVariables(text: string, lines: ReadonlyMap<string, string>): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n"
  const there = assignmentsIn(text)
  let result = text
  for (const { name, start, end } of there.toReversed()) {
    const line = lines.get(name)
    if (line !== undefined) result = result.slice(0, start) + line + result.slice(end)
  }
  const names = new Set(there.map(({ name }) => name))
  const added = [...lines].filter(([name]) => !names.has(name)).map(([, line]) => line + newline)
  if (added.length === 0) return result
  const gap = result === "" || result.endsWith("\n") ? "" : newline
  return result + gap + added.join("")
}

/**
 * `NAME="value"`, quoted so that it is read back as it is. Next.js expands `$`, unless there is a backslash before it;
 * the others take a backslash as it stands.
 */
export function assign(name: string, value: string, { expands }: { readonly expands: boolean }): string {
  if (value === "") return `${name}=`
  const text = expands ? value.replaceAll("$", "\\$") : value
  if (text.includes("\n")) return `${name}="${text.replaceAll("\r", "").replaceAll("\n", "\\n")}"`
  // Between double quotes `\n` would be read as the end of a line.
  const marks = value.includes("\\") ? ["'", "`"] : ['"', "'", "`"]
  const quote = marks.find((mark) => !text.includes(mark)) ?? '"'
  return `${name}=${quote}${text}${quote}`
}
