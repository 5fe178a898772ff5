import {
  type Field,
  integer,
  list,
  owner,
  record,
  type RecordType,
  sealed,
  text,
  type Value,
} from "@latchkey/core/module"

/** A code that was sent. */
type CodeFields = {
  /** Of the secret name that the browser has. */
  readonly id: Field<string>
  readonly number: Field<string>
  /** To find the codes of a number. */
  readonly to: Field<string>
  readonly hash: Field<string>
  /** Answers so far. */
  readonly tries: Field<number>
  /** The signed-in user who adds the number. */
  readonly userId: Field<string | undefined>
  /** Their numbers then, in whose place the new one comes. */
  readonly replaces: Field<readonly string[]>
}

const code: RecordType<CodeFields, "id"> = record(
  {
    id: text(),
    number: sealed(),
    to: text(),
    hash: text(),
    tries: integer(),
    userId: owner().optional(),
    replaces: list(),
  },
  { key: ["id"], index: ["to"] },
)

export type CodeRecord = Value<CodeFields>

export const records: { readonly code: typeof code } = { code }
