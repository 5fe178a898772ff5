import { type Field, integer, owner, record, type RecordType, sealed, text, type Value } from "@latchkey/core/module"

/** A sign-in with an OpenID provider, of which a session here is left. */
type SignInFields = {
  /** Of the session, hashed: in some configurations, its name is what the cookie contains. */
  readonly name: Field<string>
  readonly provider: Field<string>
  readonly userId: Field<string>
  readonly session: Field<string>
  /** Names the user at the provider. */
  readonly subject: Field<string>
  /** Names the session at the provider. `undefined`: it said none. */
  readonly sid: Field<string | undefined>
  /** The id of the user's account at the provider. */
  readonly account: Field<string>
  /** When the provider issued the ID token. Seconds since 1970. */
  readonly issuedAt: Field<number>
  readonly idToken: Field<string | undefined>
  /** What tells the provider who signs out, in place of the ID token. */
  readonly hint: Field<string | undefined>
}

/** A logout that a sign-in may have missed, because it finished at the same time. */
type EndedFields = {
  /** `subject`, `sid` or `name` of a sign-in. */
  readonly name: Field<string>
  /** Seconds since 1970. */
  readonly at: Field<number>
}

/** A URL at the provider that is too long for a redirect. */
type DepartureFields = {
  readonly id: Field<string>
  readonly provider: Field<string>
  /** JSON. */
  readonly params: Field<string>
}

export const records: {
  readonly signIn: RecordType<SignInFields, "name" | "provider" | "subject">
  readonly ended: RecordType<EndedFields, "name" | "at">
  /** The logout tokens that were used. */
  readonly seen: RecordType<{ readonly id: Field<string> }, "id">
  readonly departure: RecordType<DepartureFields, "id">
} = {
  signIn: record(
    {
      name: text(),
      provider: text(),
      userId: owner(),
      session: sealed(),
      subject: text(),
      sid: text().optional(),
      account: text(),
      issuedAt: integer(),
      idToken: sealed().optional(),
      hint: sealed().optional(),
    },
    { key: ["name", "provider", "subject"], index: ["subject", "sid"] },
  ),
  ended: record({ name: text(), at: integer() }, { key: ["name", "at"], index: ["name"] }),
  seen: record({ id: text() }, { key: ["id"] }),
  departure: record({ id: text(), provider: text(), params: sealed() }, { key: ["id"] }),
}

export type SignInRecord = Value<SignInFields>
