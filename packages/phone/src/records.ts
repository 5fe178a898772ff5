import { type Field, integer, owner, record, type RecordType, text, type Value } from "@latchkey/core/module"

/** A code that was sent. */
type CodeFields = {
  /** Of the secret name that the browser has. */
  readonly id: Field<string>
  /** The number, and the user's numbers then, in whose place it comes. Sealed for this code. What doesn't open anymore can still be ended. */
  readonly about: Field<string>
  /** To find the codes of a number. */
  readonly to: Field<string>
  readonly hash: Field<string>
  /** Answers so far. */
  readonly tries: Field<number>
  /** The signed-in user who adds the number. */
  readonly userId: Field<string | undefined>
}

const code: RecordType<CodeFields, "id"> = record(
  {
    id: text(),
    about: text(),
    to: text(),
    hash: text(),
    tries: integer(),
    userId: owner().optional(),
  },
  { key: ["id"], index: ["to"] },
)

export type CodeRecord = Value<CodeFields>

export const records: { readonly code: typeof code } = { code }
