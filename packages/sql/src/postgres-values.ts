/**
 * Reads the text that the server sends, by the number of the column's type (`pg_type.oid`). The parsers of a library aren't used
 * for these types, because an application can replace them.
 */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  // A 64-bit integer stays text: a number would lose digits.
  [20, (text) => text],
  [21, Number],
  [23, Number],
  [114, (text) => JSON.parse(text)],
  [1114, instantFrom],
  [1184, instantFrom],
  [3802, (text) => JSON.parse(text)],
])

/** The parser for a type that this package stores. For a type that only applications store, their library has one. */
export function parserOf(type: number): ((text: string) => unknown) | undefined {
  return parsers.get(type)
}

/**
 * Writes a parameter as text. The server knows the type of each parameter from the statement, so a library doesn't have to guess
 * it. Lists and bytes are left to the library.
 */
export function textOf(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return textOfInstant(value)
  if (Array.isArray(value) || value instanceof Uint8Array) return value
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** In UTC, because a column without a time zone ignores the offset. PostgreSQL doesn't accept the plus of a long year. */
function textOfInstant(date: Date): string {
  return date.toISOString().replace(/^\+0*/, "")
}

const instant = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-][\d:]+)?$/

/** A timestamp without time zone is in UTC. */
function instantFrom(text: string): Date {
  const [, day = "", time = "", fraction = ".", offset = "+00"] = instant.exec(text) ?? []
  // `infinity`, years before 1, and other settings of DateStyle.
  if (day === "") return new Date(text === "infinity" ? latest : text)
  const longDay = day.length > 10 ? `+${day.padStart(12, "0")}` : day
  return new Date(Date.parse(`${longDay}T${time}${fraction.slice(0, 4).padEnd(4, "0")}Z`) - millisecondsOf(offset))
}

/** Of an offset such as `+05:30`. In the past, offsets had seconds. */
function millisecondsOf(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(":").map(Number)
  return (hours * 3600 + minutes * 60 + seconds) * (offset.startsWith("-") ? -1000 : 1000)
}

/** The end of time of `Date` (ECMA-262 §21.4.1.1). */
const latest = 8.64e15
