import { maxProfileImage, maxProfileName } from "../../limits/of-input.js"

interface DisplayFields {
  readonly name?: unknown
  readonly image?: unknown
}

/**
 * The result of `profile()` with a name and image that aren't too long: a malicious provider must not fill the database, and
 * an image is often a `data:` URL. With an adapter, they can also be stored. Users choose them, and many services cut a name in the
 * middle of an emoji.
 */
export function withDisplayFields<T extends object>(user: T, isStored: boolean): T {
  const { name, image }: DisplayFields = isStored ? storable(user) : user
  return {
    ...user,
    ...(name === undefined ? {} : { name: cut(name) }),
    ...(image === undefined ? {} : { image: isLong(image, maxProfileImage) ? null : image }),
  }
}

function storable({ name, image }: DisplayFields): DisplayFields {
  return { name: storableText(name), image: storableText(image) }
}

/** Databases refuse NUL and lone surrogates in a text. A column for text turns a number into one. */
function storableText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return value
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? value.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\uFFFD") : null
}

/** Never between the two halves of a character. */
function cut(name: unknown): unknown {
  return isLong(name, maxProfileName) ? name.slice(0, maxProfileName).replace(/\p{Surrogate}$/u, "") : name
}

function isLong(value: unknown, maximum: number): value is string {
  return typeof value === "string" && value.length > maximum
}
