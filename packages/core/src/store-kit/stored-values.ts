import { systemRuntime } from "../primitives/runtime.js"

/**
 * An email, account or token is already taken. The engine recognizes the `code` and repeats the step with the existing row.
 *
 * @example
 * ```ts
 * import { UniqueViolation } from "@latchkey/core/adapters"
 * export const taken = () => new UniqueViolation("The email is taken. Look up the user with getUserByEmail.")
 * ```
 */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation"
  readonly code = "LATCHKEY_UNIQUE"
}

/** PostgreSQL can't store NUL. Drivers turn every lone surrogate into `U+FFFD`, so different texts would become equal. */
const unstorable = /[\0\p{Surrogate}]/u

/**
 * Whether every SQL database can store a text as it is. Other values count as storable.
 *
 * @example
 * ```ts
 * import { isStorable } from "@latchkey/core/adapters"
 * const canFind = isStorable("a\0b") // false
 * ```
 */
export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || !unstorable.test(value)
}

/**
 * Checks a value before an SQL database stores it.
 *
 * @throws TypeError if it's a text with NUL or a lone surrogate, or an invalid date
 * @example
 * ```ts
 * import { assertStorable } from "@latchkey/core/adapters"
 * assertStorable("ada@example.com")
 * ```
 */
export function assertStorable(value: unknown): void {
  if (!isStorable(value)) {
    throw new TypeError("The text contains NUL or a lone surrogate, which the database can't store. Remove it.")
  }
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    throw new TypeError("The date is invalid. Pass a valid Date object.")
  }
}

/**
 * JSON for fields without a column of their own.
 *
 * @throws TypeError if a name or a text in it can't be stored
 * @example
 * ```ts
 * import { fieldsToJson } from "@latchkey/core/adapters"
 * const extra = fieldsToJson({ role: "admin" }) // {"role":"admin"}
 * ```
 */
export function fieldsToJson(fields: unknown): string {
  return JSON.stringify(fields, (name, value: unknown) => {
    assertStorable(name)
    assertStorable(value)
    return value
  })
}

/**
 * The fields that {@link fieldsToJson} wrote. None if it isn't a text.
 *
 * @example
 * ```ts
 * import { fieldsFromJson } from "@latchkey/core/adapters"
 * const fields = fieldsFromJson('{"role":"admin"}') // { role: "admin" }
 * ```
 */
export function fieldsFromJson(stored: unknown): object {
  const value: unknown = typeof stored === "string" ? JSON.parse(stored) : undefined
  return typeof value === "object" && value !== null ? value : {}
}

/** What a user sees about a session or a passkey, as JSON. Dates are milliseconds since 1970. Details that aren't given stay. */
export function mergeDetails(stored: unknown, given: object): string {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined)
  const plain = changes.map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.getTime() : value,
  ])
  return fieldsToJson({ ...fieldsFromJson(stored), ...Object.fromEntries(plain) })
}

/**
 * The details of a session or a passkey, from the JSON in its column. Every number among them is a time.
 *
 * @example
 * ```ts
 * import { detailsOf } from "@latchkey/core/adapters"
 * const { details } = detailsOf('{"browser":"Firefox","createdAt":0}') // createdAt: new Date(0)
 * ```
 */
export function detailsOf(stored: unknown): {
  readonly details?: Readonly<Record<string, string | Date | null>>
} {
  if (stored === null || stored === undefined) return {}
  const entries = Object.entries(fieldsFromJson(stored)).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "number" ? new Date(value) : value,
  ])
  return { details: Object.fromEntries(entries) }
}

/**
 * A UUID (version 4), for what a process writes to recognize it later. Not that of `crypto.randomUUID`: Node takes its bytes from a
 * cache, which processes that are resumed from one snapshot share, such as on AWS Lambda.
 *
 * @example
 * ```ts
 * import { newId } from "@latchkey/core/adapters"
 * export const withRevision = (row: object) => ({ ...row, revision: newId() })
 * ```
 */
export function newId(): string {
  return systemRuntime.uuid()
}
