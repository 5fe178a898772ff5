import { type Field, flag, instant, owner, record, type RecordType, text, type Value } from "@latchkey/core/module"

/** An anonymous user. The record goes with the user. */
type GuestFields = {
  readonly userId: Field<string>
  /** The hash of the secret that the browser has. Without it, the session alone moves nothing. */
  readonly browser: Field<string>
  readonly createdAt: Field<Date>
  /** The user to whom everything moves. */
  readonly to: Field<string | undefined>
  /** Until then, one process moves it. */
  readonly busyUntil: Field<Date | undefined>
  /** `onUpgrade` has returned. */
  readonly isMoved: Field<boolean>
}

const guest: RecordType<GuestFields, "userId"> = record(
  {
    userId: owner(),
    browser: text(),
    createdAt: instant(),
    to: text().optional(),
    busyUntil: instant().optional(),
    isMoved: flag(),
  },
  { key: ["userId"], index: ["to"] },
)

export type Guest = Value<GuestFields>

export const records: { readonly guest: typeof guest } = { guest }
