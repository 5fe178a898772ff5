/** A key is already taken. The engine recognizes the `code` and repeats the step with the existing row. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation"
  readonly code = "LATCHKEY_UNIQUE"
}
