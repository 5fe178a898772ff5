import type { JsonValue } from "../model/user.js"

/** How one field of a record is kept. */
export interface Field<T> {
  /** `owner`: a user's id. `sealed`: encrypted, and bound to its record. */
  readonly kind: "owner" | "sealed" | "plain"
  toJson(value: T): JsonValue
  /** @throws TypeError if the stored value isn't one of this field */
  fromJson(stored: JsonValue): T
  /** The field may be missing. */
  optional(): Field<T | undefined>
}

/** The id of the user that a record belongs to. `deleteUser` deletes it with the user. */
export const owner = (): Field<string> => field(isText, "owner")

/** A text of a module's own. */
export const text = (): Field<string> => field(isText)

/** A text that is encrypted with the secret of the site, and can't be opened as another record's. */
export const sealed = (): Field<string> => field(isText, "sealed")

export const integer = (): Field<number> => field((value): value is number => Number.isSafeInteger(value))

export const flag = (): Field<boolean> => field((value): value is boolean => typeof value === "boolean")

export const list = (): Field<readonly string[]> =>
  field((value): value is string[] => Array.isArray(value) && value.every(isText))

/** A point in time, to the millisecond. */
export const instant = (): Field<Date> =>
  withOptional({
    kind: "plain",
    toJson: (value: Date) => value.toISOString(),
    fromJson(stored) {
      if (!isText(stored) || Number.isNaN(Date.parse(stored))) refuse()
      return new Date(stored)
    },
  })

function field<T extends JsonValue>(
  isValid: (value: unknown) => value is T,
  kind: Field<T>["kind"] = "plain",
): Field<T> {
  const check = (value: unknown): T => {
    return isValid(value) ? value : refuse()
  }
  return withOptional<T>({ kind, toJson: check, fromJson: check })
}

function withOptional<T>(base: Omit<Field<T>, "optional">): Field<T> {
  return {
    ...base,
    optional: () =>
      withOptional<T | undefined>({
        ...base,
        toJson: (value) => (value === undefined ? null : base.toJson(value)),
        fromJson: (stored) => (stored === null ? undefined : base.fromJson(stored)),
      }),
  }
}

function refuse(): never {
  throw new TypeError("A field has another type")
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}

export type Fields = Readonly<Record<string, Field<unknown>>>

type ValueOf<F> = F extends Field<infer T> ? T : never

/** The value of a record with these fields. */
export type Value<F extends Fields> = {
  readonly [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>
} & { readonly [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]> }

/** What a module keeps: the fields, and which of them name a record. */
export interface RecordType<F extends Fields = Fields, K extends PropertyKey = PropertyKey> {
  readonly fields: F
  /** Together they name one record of its kind. */
  readonly key: readonly K[]
  /** Up to two fields to find records by. Records with an owner can be found by it anyway. */
  readonly index: readonly PropertyKey[]
}

export type RecordTypes = Readonly<Record<string, RecordType>>

/**
 * Declares what a module keeps.
 *
 * @example
 * ```ts
 * import { instant, owner, record, sealed } from "@latchkey/core/module"
 * const secret = record({ userId: owner(), seed: sealed(), confirmedAt: instant().optional() }, { key: ["userId"] })
 * ```
 */
export function record<const F extends Fields, const K extends keyof F>(
  fields: F,
  { key, index = [] }: { readonly key: readonly K[]; readonly index?: readonly (keyof F)[] },
): RecordType<F, K> {
  return { fields, key, index }
}
