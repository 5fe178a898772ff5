/**
 * An email, account or id is already taken. The engine recognizes the `code` in an error of any adapter. It then repeats the
 * step with the existing row.
 *
 * @example
 * ```ts
 * import { UniqueViolation } from "@latchkey/adapter-kit"
 * throw new UniqueViolation("The email is taken. Look up the user by email and use that row.")
 * ```
 */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation"
  readonly code = "LATCHKEY_UNIQUE"
}
