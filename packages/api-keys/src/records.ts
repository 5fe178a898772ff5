import {
  type Field,
  instant,
  integer,
  list,
  owner,
  record,
  type RecordType,
  text,
  type Value,
} from "@latchkey/core/module"

/** An API key. Of its secrets there are only hashes. */
type KeyFields = {
  /** The public part of the key, by which it's found. */
  readonly id: Field<string>
  readonly userId: Field<string>
  readonly name: Field<string>
  readonly scopes: Field<readonly string[]>
  /** SHA-256 of the secret. */
  readonly hash: Field<string>
  /** Former secrets that work until a time: `<milliseconds since 1970> <hash>`. */
  readonly former: Field<readonly string[]>
  /** Counts rotations, so that a form that was sent twice rotates once. */
  readonly generation: Field<number>
  /** Seconds. `undefined`: it doesn't expire. */
  readonly lifetime: Field<number | undefined>
  readonly createdAt: Field<Date>
  readonly expiresAt: Field<Date | undefined>
  /** To the hour. */
  readonly lastUsedAt: Field<Date | undefined>
  /** When the owner gets an email about the end. `undefined`: never, or they got it. */
  readonly remindAt: Field<Date | undefined>
}

/** The keys of a user. Each creation changes it, so that parallel ones can't exceed the limit. Some of the keys may be gone. */
type RingFields = {
  readonly userId: Field<string>
  readonly ids: Field<readonly string[]>
  /** When all of them were revoked. */
  readonly endedAt: Field<Date | undefined>
}

/** What the module keeps of a user. */
export const records: {
  readonly key: RecordType<KeyFields, "id">
  readonly ring: RecordType<RingFields, "userId">
} = {
  key: record(
    {
      id: text(),
      userId: owner(),
      name: text(),
      scopes: list(),
      hash: text(),
      former: list(),
      generation: integer(),
      lifetime: integer().optional(),
      createdAt: instant(),
      expiresAt: instant().optional(),
      lastUsedAt: instant().optional(),
      remindAt: instant().optional(),
    },
    { key: ["id"] },
  ),
  ring: record({ userId: owner(), ids: list(), endedAt: instant().optional() }, { key: ["userId"] }),
}

export type KeyRecord = Value<KeyFields>
