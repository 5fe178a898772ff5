import { type Field, instant, integer, list, owner, record, type RecordType, sealed, text } from "@latchkey/core/module"

type GrantFields = {
  userId: Field<string>
  clientId: Field<string>
  audience: Field<string>
  scope: Field<readonly string[]>
  session: Field<string | undefined>
  authTime: Field<number | undefined>
  amr: Field<readonly string[]>
  acr: Field<string | undefined>
}

type OwnRecords = {
  readonly key: RecordType<{ generation: Field<number>; usableFrom: Field<Date>; jwk: Field<string> }, "generation">
  readonly code: RecordType<
    GrantFields & {
      hash: Field<string>
      redirectUri: Field<string>
      challenge: Field<string>
      madeAt: Field<Date>
      uses: Field<number | undefined>
    },
    "hash"
  >
  readonly family: RecordType<
    GrantFields & {
      id: Field<string>
      generation: Field<number>
      rotatedAt: Field<Date>
      answer: Field<string | undefined>
      beganAt: Field<Date>
      endsAt: Field<Date>
    },
    "id"
  >
  readonly cutOff: RecordType<{ userId: Field<string>; at: Field<Date> }, "userId">
}

/** What a user granted to an app. */
const grant: GrantFields = {
  userId: owner(),
  clientId: text(),
  audience: text(),
  scope: list(),
  /** The session that the grant ends with. `undefined`: it outlives it, or the session has no row. */
  session: text().optional(),
  authTime: integer().optional(),
  amr: list(),
  acr: text().optional(),
}

/** What the module keeps. */
export const records: OwnRecords = {
  /** Signing keys. The generation is the key, so that of two processes one makes the next. */
  key: record(
    {
      generation: integer(),
      usableFrom: instant(),
      /** The private key. */
      jwk: sealed(),
    },
    { key: ["generation"] },
  ),
  code: record(
    {
      ...grant,
      hash: text(),
      redirectUri: text(),
      challenge: text(),
      madeAt: instant(),
      /** How often it was sent: a second time ends what the first one gives. */
      uses: integer().optional(),
    },
    { key: ["hash"] },
  ),
  /** The refresh tokens of one sign-in: only the newest works. */
  family: record(
    {
      ...grant,
      id: text(),
      /** Of the newest token. */
      generation: integer(),
      rotatedAt: instant(),
      /** What the latest refresh was answered, for a retry of the same request. */
      answer: sealed().optional(),
      beganAt: instant(),
      endsAt: instant(),
    },
    { key: ["id"] },
  ),
  /** When everything of a user was revoked. */
  cutOff: record({ userId: owner(), at: instant() }, { key: ["userId"] }),
}
