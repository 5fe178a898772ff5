/**
 * Two writes wanted the same thing: an e-mail address, an account, a token. The engine recognises the `code` and tries
 * again with what the other write left.
 */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation"
  readonly code = "LATCHKEY_UNIQUE"
}

/** What the drivers call it (https://www.sqlite.org/rescode.html, PostgreSQL manual, appendix A). */
const uniqueCodes: readonly unknown[] = ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "23505"]
const missingTable: readonly unknown[] = ["42P01"]
const tooLong: readonly unknown[] = ["54000"]
const orphan: readonly unknown[] = ["SQLITE_CONSTRAINT_FOREIGNKEY", "23503"]

/** The error in words that help; one that is not known here stays as it is. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code: unknown = Reflect.get(error, "code")
  if (uniqueCodes.includes(code)) {
    // Without the cause: PostgreSQL quotes the values in it, and one of them may be a session token.
    return new UniqueViolation(`The row exists already (${subjectOf(error)}): read it and go on with that one`)
  }
  if (orphan.includes(code)) return new Error("There is no user with this userId: create the user first")
  if (tooLong.includes(code))
    return new Error("A key is too long for the database's index: shorten it", { cause: error })
  if (missingTable.includes(code) || error.message.startsWith("no such table")) {
    return new Error("The tables are missing: call `migrate()` of the adapter first", { cause: error })
  }
  return error
}

function subjectOf(error: Error): string {
  const constraint: unknown = Reflect.get(error, "constraint")
  return typeof constraint === "string" ? constraint : error.message
}
