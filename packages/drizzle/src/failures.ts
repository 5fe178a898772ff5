import { UniqueViolation } from "@latchkey/core/adapters"
import type { Dialect } from "./database.js"

/**
 * SQLSTATEs of PostgreSQL, result codes of SQLite (https://www.sqlite.org/rescode.html), and error codes of MySQL. D1 only has
 * messages, which name the result code.
 */
const kinds: readonly (readonly [kind: Kind, pattern: RegExp])[] = [
  [
    "unique",
    /^23505$|^ER_DUP_ENTRY$|^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$|UNIQUE constraint failed|Duplicate entry|SQLState: 23505/,
  ],
  ["user", /^23503$|^ER_NO_REFERENCED_ROW(?:_2)?$|^SQLITE_CONSTRAINT_FOREIGNKEY$|FOREIGN KEY constraint failed/],
  ["table", /^42P01$|^ER_NO_SUCH_TABLE$|no such table/],
  ["column", /^42703$|^ER_BAD_FIELD_ERROR$|no such column|has no column named/],
  ["size", /^22001$|^22003$|^ER_DATA_TOO_LONG$|^ER_WARN_DATA_OUT_OF_RANGE$/],
  // Their messages contain the value.
  ["value", /^22P0[2-5]$|^2200[78]$|^ER_TRUNCATED_WRONG_VALUE(?:_FOR_FIELD)?$|^ER_WRONG_VALUE$/],
]

type Kind = "unique" | "user" | "table" | "column" | "size" | "value"

/**
 * Replaces the errors of Drizzle and of the drivers. They contain all values of the query, which can be session tokens, so
 * only their code and the message of the driver are kept.
 */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error) || isOurs.has(error)) return error
  const source = sourceOf(error)
  const explained = errorFor(kindOf(source), source)
  isOurs.add(explained)
  return explained
}

/**
 * Whether the database rolls back the transaction in which a query fails. PostgreSQL always does. InnoDB does after a deadlock, and
 * after a timeout if `innodb_rollback_on_timeout` is on.
 */
export function endsTransaction(error: unknown, dialect: Dialect): boolean {
  if (dialect !== "mysql") return dialect === "pg"
  if (!(error instanceof Error)) return false
  const source = sourceOf(error)
  return [codeOf(source), source.message].some((text) => lockFailure.test(String(text)))
}

const lockFailure = /^ER_LOCK_(?:DEADLOCK|WAIT_TIMEOUT)$|Deadlock found|Lock wait timeout|errno 12(?:05|13)\b/

/** Errors of `explain`, which an outer call must not explain again. */
const isOurs = new WeakSet<Error>()

/** Drizzle wraps the error of the driver, and so does libSQL. */
function sourceOf(error: Error): Error {
  const { cause } = error
  const wraps = Reflect.has(error, "params") || Reflect.get(error, "name") === "LibsqlError" || isD1(error)
  return wraps && cause instanceof Error ? sourceOf(cause) : error
}

function isD1(error: Error): boolean {
  return error.message.startsWith("D1_ERROR")
}

function kindOf(error: Error): Kind | undefined {
  const texts = [codeOf(error), Reflect.get(error, "extendedCode"), error.message].map(String)
  return kinds.find(([, pattern]) => texts.some((text) => pattern.test(text)))?.[0]
}

function codeOf(error: Error): unknown {
  return Reflect.get(error, "code")
}

function errorFor(kind: Kind | undefined, source: Error): Error {
  if (kind === "unique") {
    return new UniqueViolation(`The row already exists${subjectOf(source)}. Read it and use that row.`)
  }
  if (kind === "user") return new Error("There is no user with this userId. Create the user first.")
  if (kind === "value") return new Error("The database can't store a value. Check the types of the columns.")
  const cause = withoutValues(source)
  if (kind === "table") {
    return new Error("A table is missing. Create it with your migrations, or pass the tables that you have.", { cause })
  }
  if (kind === "column") {
    return new Error("A column is missing. Add it with your migrations, or remove it from the table in your schema.", {
      cause,
    })
  }
  if (kind === "size") return new Error("A value doesn't fit into its column. Use a wider column.", { cause })
  return new Error(`The database failed: ${source.message}`, { cause })
}

/** The constraint. The messages of SQLite name the columns. Those of MySQL contain the values before the name of the key. */
function subjectOf(error: Error): string {
  const constraint: unknown = Reflect.get(error, "constraint") ?? Reflect.get(error, "constraint_name")
  if (typeof constraint === "string") return ` (${constraint})`
  const [, named] = /(?:UNIQUE constraint failed: |for key ')([\w.$, ]+)/.exec(error.message) ?? []
  return named === undefined ? "" : ` (${named.trim()})`
}

/** `detail` of PostgreSQL and `sql` of MySQL contain values. */
function withoutValues(error: Error): Error {
  const copy: Error & { code?: unknown } = new Error(error.message)
  copy.name = error.name
  const code = codeOf(error)
  if (code !== undefined) copy.code = code
  return copy
}
