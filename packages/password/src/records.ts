import { type Field, flag, instant, integer, owner, record, type RecordType, sealed, text } from "@latchkey/core/module"

type PasswordFields = {
  userId: Field<string>
  hash: Field<string>
  epoch: Field<number>
  changedAt: Field<Date>
  isProven: Field<boolean>
}

type LinkFields = {
  mailbox: Field<string>
  kind: Field<string>
  email: Field<string>
  userId: Field<string | undefined>
  token: Field<string | undefined>
  hash: Field<string | undefined>
  browser: Field<string | undefined>
  fields: Field<string | undefined>
  epoch: Field<number>
}

type UsernameFields = {
  skeleton: Field<string>
  username: Field<string>
  userId: Field<string | undefined>
  mailbox: Field<string | undefined>
}

type FailureFields = { subject: Field<string>; userId: Field<string | undefined>; count: Field<number> }

type OwnRecords = {
  readonly password: RecordType<PasswordFields, "userId">
  readonly link: RecordType<LinkFields, "mailbox" | "kind">
  readonly username: RecordType<UsernameFields, "skeleton">
  readonly failure: RecordType<FailureFields, "subject">
}

/** What the module keeps. */
export const records: OwnRecords = {
  password: record(
    {
      userId: owner(),
      /** A PHC string. */
      hash: sealed(),
      /** Goes up with each change, so that a link from before doesn't work. */
      epoch: integer(),
      changedAt: instant(),
      /** The user had proven the mailbox when the password was set. */
      isProven: flag(),
    },
    { key: ["userId"] },
  ),
  /** The newest link of each kind that was sent to a mailbox. */
  link: record(
    {
      /** The canonical email. */
      mailbox: text(),
      /** `sign-up`, `reset` or `invitation`. */
      kind: text(),
      /** As it was typed, or as it's stored. */
      email: text(),
      userId: owner().optional(),
      /** The hash of the token. `undefined`: it was used. */
      token: text().optional(),
      /** Of the password that was chosen with the sign-up. */
      hash: sealed().optional(),
      /** The hash of the name of the browser that chose it. Another one doesn't confirm a password that its user may not know. */
      browser: text().optional(),
      /** JSON of the fields that were filled in with it. */
      fields: sealed().optional(),
      epoch: integer(),
    },
    { key: ["mailbox", "kind"], index: ["token"] },
  ),
  /** One for each appearance. It's reserved for a mailbox first, and the user's once they exist. */
  username: record(
    { skeleton: text(), username: text(), userId: owner().optional(), mailbox: text().optional() },
    { key: ["skeleton"] },
  ),
  /** Consecutive failures of a user: of one browser that is known, or of all others together. */
  failure: record({ subject: text(), userId: owner().optional(), count: integer() }, { key: ["subject"] }),
}
