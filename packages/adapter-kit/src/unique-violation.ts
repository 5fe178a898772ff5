/**
 * Two writes wanted the same thing: an e-mail address, an account, an id. The engine recognises the `code`,
 * whichever adapter threw it, and tries again with what the other write left.
 *
 * @example
 * ```ts
 * import { UniqueViolation } from "@latchkey/adapter-kit"
 * throw new UniqueViolation("users.email is taken: look the user up and go on with that one")
 * ```
 */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation"
  readonly code = "LATCHKEY_UNIQUE"
}
