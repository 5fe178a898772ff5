import {
  type Field,
  flag,
  instant,
  integer,
  list,
  owner,
  record,
  type RecordType,
  sealed,
  text,
  type Value,
} from "@latchkey/core/module"

/** The second factor of a user: at least one method, and the recovery codes. */
type FactorFields = {
  readonly userId: Field<string>
  /** Changes with the factor, so that devices that were trusted before aren't anymore. */
  readonly epoch: Field<string>
  /** The key of an authenticator app, in Base32. */
  readonly app: Field<string | undefined>
  /** Where codes are sent. */
  readonly email: Field<string | undefined>
  readonly sms: Field<string | undefined>
  /** Ids of the passkeys that the user chose as their second step. */
  readonly passkey: Field<readonly string[] | undefined>
  /** The step of the last code of the app that was used, so that no code works twice (RFC 6238 §5.2). */
  readonly lastStep: Field<number>
  /** Hashes of the recovery codes that are left. */
  readonly recovery: Field<readonly string[]>
  readonly since: Field<Date>
}

/** A method that the user is setting up. */
type SetupFields = {
  /** Names the browser, or the sign-in that waits. */
  readonly id: Field<string>
  readonly userId: Field<string>
  readonly method: Field<string>
  /** The key of the app, or where codes are sent. */
  readonly secret: Field<string>
  /** Hash of the code that was sent. */
  readonly code: Field<string | undefined>
  /** The user has typed a code, and the sign-in waits until the recovery codes are saved. */
  readonly isDone: Field<boolean>
}

/** The last code that was sent, for one sign-in or one browser. */
type SentFields = {
  readonly id: Field<string>
  readonly userId: Field<string>
  /** Six digits are soon found from a hash, so it's sealed, too. */
  readonly hash: Field<string>
}

/** A browser in which the second factor isn't asked. */
type DeviceFields = {
  readonly hash: Field<string>
  readonly userId: Field<string>
  readonly epoch: Field<string>
  readonly name: Field<string>
  readonly since: Field<Date>
}

/** What the module keeps of a user. */
export const records: {
  readonly factor: RecordType<FactorFields, "userId">
  readonly setup: RecordType<SetupFields, "id">
  readonly sent: RecordType<SentFields, "id">
  readonly device: RecordType<DeviceFields, "hash">
  /** The application removes the factor at a time that the user knows. */
  readonly reset: RecordType<{ readonly userId: Field<string>; readonly readyAt: Field<Date> }, "userId">
  /** Until then, a user who has to set a factor up comes in without. */
  readonly grace: RecordType<{ readonly userId: Field<string>; readonly until: Field<Date> }, "userId">
} = {
  factor: record(
    {
      userId: owner(),
      epoch: text(),
      app: sealed().optional(),
      email: sealed().optional(),
      sms: sealed().optional(),
      passkey: list().optional(),
      lastStep: integer(),
      recovery: list(),
      since: instant(),
    },
    { key: ["userId"] },
  ),
  setup: record(
    { id: text(), userId: owner(), method: text(), secret: sealed(), code: sealed().optional(), isDone: flag() },
    { key: ["id"] },
  ),
  sent: record({ id: text(), userId: owner(), hash: sealed() }, { key: ["id"] }),
  device: record({ hash: text(), userId: owner(), epoch: text(), name: text(), since: instant() }, { key: ["hash"] }),
  reset: record({ userId: owner(), readyAt: instant() }, { key: ["userId"] }),
  grace: record({ userId: owner(), until: instant() }, { key: ["userId"] }),
}

export type FactorRecord = Value<FactorFields>
export type SetupRecord = Value<SetupFields>
