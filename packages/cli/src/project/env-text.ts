import { parse } from "dotenv"

/** Where the text of an env file sets a variable. */
export interface Assignment {
  readonly name: string
  /** Offset of the first character. */
  readonly start: number
  /** Offset after the last character, without the end of the line. */
  readonly end: number
}

/** A quoted value may span lines. Only a comment may follow it; otherwise the value ends with its first line. */
const value = ['"', "'", "`"].map(
  (quote) => `${quote}(?:\\\\${quote}|[^${quote}])*${quote}[ \\t]*(?:#[^\\r\\n]*)?(?=[\\r\\n]|$)`,
)

/** dotenv reads values but doesn't tell where they are. */
const assignment = new RegExp(
  `^[ \\t]*(?:export[ \\t]+)?([\\w.-]+)[ \\t]*=[ \\t]*(?:${value.join("|")}|[^\\r\\n]*)`,
  "gm",
)

/** All assignments, in order. Comments aren't assignments. */
export function assignmentsIn(text: string): Assignment[] {
  return [...text.matchAll(assignment)].map((match) => {
    const [whole, name = ""] = match
    return { name, start: match.index, end: match.index + whole.length }
  })
}

/** The variables that the file sets. If a name occurs twice, the last assignment counts. */
export function variablesIn(text: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(parse(text)))
}

/** The text with these variables set: in place if the file has them, otherwise at the end. The rest stays as it is. */
export function withVariables(text: string, lines: ReadonlyMap<string, string>): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n"
  const assignments = assignmentsIn(text)
  let result = text
  for (const { name, start, end } of assignments.toReversed()) {
    const line = lines.get(name)
    if (line !== undefined) result = result.slice(0, start) + line + result.slice(end)
  }
  const names = new Set(assignments.map(({ name }) => name))
  const added = [...lines].filter(([name]) => !names.has(name)).map(([, line]) => line + newline)
  if (added.length === 0) return result
  const gap = result === "" || result.endsWith("\n") ? "" : newline
  return result + gap + added.join("")
}

/**
 * `NAME="value"`, quoted so that parsers return the value unchanged. Next.js and Vite expand `$` unless a backslash precedes it.
 * Other parsers keep such a backslash.
 */
export function assign(name: string, value: string, { expands }: { readonly expands: boolean }): string {
  if (value === "") return `${name}=`
  const text = expands ? value.replaceAll("$", "\\$") : value
  if (text.includes("\n")) return `${name}="${text.replaceAll("\r", "").replaceAll("\n", "\\n")}"`
  // Between double quotes, `\n` means the end of a line.
  const marks = value.includes("\\") ? ["'", "`"] : ['"', "'", "`"]
  const quote = marks.find((mark) => !text.includes(mark)) ?? '"'
  return `${name}=${quote}${text}${quote}`
}
