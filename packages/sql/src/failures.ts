import { UniqueViolation } from "@latchkey/core/adapters"

// Error codes of the drivers: https://www.sqlite.org/rescode.html, appendix A of the PostgreSQL manual, and the error
// reference of MySQL.
const uniqueCodes: readonly unknown[] = [
  "SQLITE_CONSTRAINT_UNIQUE",
  "SQLITE_CONSTRAINT_PRIMARYKEY",
  "23505",
  "ER_DUP_ENTRY",
]
const missingTable: readonly unknown[] = ["42P01", "ER_NO_SUCH_TABLE"]
const tooLong: readonly unknown[] = ["54000", "22001", "ER_DATA_TOO_LONG", "ER_TOO_LONG_KEY"]
const missingUser: readonly unknown[] = ["SQLITE_CONSTRAINT_FOREIGNKEY", "23503", "ER_NO_REFERENCED_ROW_2"]
const missingValue: readonly unknown[] = [
  "SQLITE_CONSTRAINT_NOTNULL",
  "23502",
  "ER_BAD_NULL_ERROR",
  "ER_NO_DEFAULT_FOR_FIELD",
]

/** The names of SQLite's result codes. `node:sqlite` only has the numbers. */
const sqliteCodes: ReadonlyMap<number, string> = new Map([
  [5, "SQLITE_BUSY"],
  [787, "SQLITE_CONSTRAINT_FOREIGNKEY"],
  [1299, "SQLITE_CONSTRAINT_NOTNULL"],
  [1555, "SQLITE_CONSTRAINT_PRIMARYKEY"],
  [2067, "SQLITE_CONSTRAINT_UNIQUE"],
])

/** The code of a driver's error. */
export function codeOf(error: Error): unknown {
  const number: unknown = Reflect.get(error, "errcode")
  if (typeof number !== "number") return Reflect.get(error, "code")
  // The lowest byte is the primary code (https://www.sqlite.org/rescode.html#pve).
  return sqliteCodes.get(number) ?? sqliteCodes.get(number & 0xff)
}

export function isTaken(error: unknown): boolean {
  return error instanceof Error && uniqueCodes.includes(codeOf(error))
}

/** Replaces known errors of the drivers by errors that say what to do. */
export function explain(error: unknown, table = "its table"): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  if (uniqueCodes.includes(code)) {
    // The errors of PostgreSQL and MySQL contain the values, which can be session tokens. So they aren't the `cause`.
    return new UniqueViolation(`The row already exists (${subjectOf(error, table)}). Read it and use that row.`)
  }
  const cause = withoutValues(error)
  if (missingUser.includes(code)) return new Error("There is no user with this userId. Create the user first.")
  if (tooLong.includes(code)) return new Error("A value is too long for its column or index. Shorten it.", { cause })
  if (missingValue.includes(code)) {
    const column = requiredColumn(error)
    const subject = column === undefined ? `A column of ${table}` : `The column ${column} of ${table}`
    return new Error(`${subject} needs a value. Give it a default value, or allow NULL.`, { cause })
  }
  if (missingTable.includes(code) || error.message.startsWith("no such table")) {
    return new Error("The tables are missing. Run `npx latchkey db apply`, or call `migrate()` of the adapter.", {
      cause,
    })
  }
  return cause
}

/** `mysql2` adds the statement with its values, and PostgreSQL the row. */
function withoutValues(error: Error): Error {
  for (const name of ["sql", "detail", "where", "parameters"]) Reflect.deleteProperty(error, name)
  if (error.cause instanceof Error) withoutValues(error.cause)
  return error
}

/** The name of a column that can't be NULL. PostgreSQL has it in a field, and the others in the message. */
function requiredColumn(error: Error): string | undefined {
  const column: unknown = Reflect.get(error, "column")
  if (typeof column === "string") return column
  return /(?:Column|Field) '([^']+)'|failed: \w+\.(\w+)/
    .exec(error.message)
    ?.slice(1)
    .find((name) => name !== undefined)
}

function subjectOf(error: Error, table: string): string {
  const constraint: unknown = Reflect.get(error, "constraint")
  return typeof constraint === "string" ? constraint : table
}
