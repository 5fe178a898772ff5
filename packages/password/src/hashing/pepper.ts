import { createHmac } from "node:crypto"

/** A secret that isn't in the database, so that a copy of the database alone can't be attacked. */
export interface Pepper {
  /** Stands in each hash. Letters, digits, `.` and `-`. */
  readonly id: string
  /** At least 32 characters. */
  readonly secret: string
}

/** What is hashed, with the key of this id. `undefined` as the id: no key. @throws RangeError if the key isn't configured */
export function peppered(password: string, id: string | undefined, peppers: readonly Pepper[]): Uint8Array {
  if (id === undefined) return Buffer.from(password, "utf8")
  const found = peppers.find((pepper) => pepper.id === id)
  if (found === undefined)
    throw new RangeError(`No pepper has the id "${id}". Add it to \`pepper\` again, after the newest`)
  return Buffer.from(createHmac("sha256", found.secret).update(password, "utf8").digest("base64"))
}
