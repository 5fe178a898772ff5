/**
 * An email, account or token is already taken. The engine recognizes the `code` and repeats the step with the existing row.
 */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation"
  readonly code = "LATCHKEY_UNIQUE"
}

/** Error codes of the drivers: https://www.sqlite.org/rescode.html and appendix A of the PostgreSQL manual. */
const uniqueCodes: readonly unknown[] = ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "23505"]
const missingTable: readonly unknown[] = ["42P01"]
const tooLong: readonly unknown[] = ["54000"]
const missingUser: readonly unknown[] = ["SQLITE_CONSTRAINT_FOREIGNKEY", "23503"]

/** The names of SQLite's result codes. `node:sqlite` only has the numbers. */
const sqliteCodes: ReadonlyMap<number, string> = new Map([
  [5, "SQLITE_BUSY"],
  [787, "SQLITE_CONSTRAINT_FOREIGNKEY"],
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

/** Replaces known errors of the drivers by errors that say what to do. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  if (uniqueCodes.includes(code)) {
    // The error of PostgreSQL contains the values, which can be session tokens. So it isn't the `cause`.
    return new UniqueViolation(`The row already exists (${subjectOf(error)}). Read it and use that row.`)
  }
  if (missingUser.includes(code)) return new Error("There is no user with this userId. Create the user first.")
  if (tooLong.includes(code)) {
    return new Error("A key is too long for an index of the database. Shorten it.", { cause: error })
  }
  if (missingTable.includes(code) || error.message.startsWith("no such table")) {
    return new Error("The tables are missing. Call `migrate()` of the adapter first.", { cause: error })
  }
  return error
}

function subjectOf(error: Error): string {
  const constraint: unknown = Reflect.get(error, "constraint")
  return typeof constraint === "string" ? constraint : error.message
}
