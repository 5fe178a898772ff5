/** Messages of SQLite (https://www.sqlite.org/src/file?name=src/sqlite3.h, `sqlite3_errmsg`) for codes that are lost on the way. */
const messages: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/UNIQUE constraint failed/, "SQLITE_CONSTRAINT_UNIQUE"],
  [/FOREIGN KEY constraint failed/, "SQLITE_CONSTRAINT_FOREIGNKEY"],
  [/NOT NULL constraint failed/, "SQLITE_CONSTRAINT_NOTNULL"],
  [/no such table/, "SQLITE_ERROR_NO_TABLE"],
]

/** Gives an error of a remote SQLite its extended code. Servers send only the primary code or the message. */
export function withSqliteCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const found = messages.find(([pattern]) => pattern.test(error.message))
  const code: unknown = found?.[1] ?? Reflect.get(error, "extendedCode")
  if (typeof code !== "string") return error
  // A constraint's message has the names of columns, but no values.
  return Object.assign(new Error(error.message, { cause: error }), { code })
}
