import { maxProfileImage, maxProfileName } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import { warnOfDropped } from "../../observability/dropped-fields.js"

interface DisplayFields {
  readonly name?: unknown
  readonly image?: unknown
}

type Context = Pick<AuthContext, "adapter" | "logger" | "logSink" | "scope">

/**
 * The result of `profile()` with a name and image that aren't too long: a malicious provider must not fill the database, and
 * an image is often a `data:` URL. With an adapter, they can also be stored. Users choose them, and many services cut a name in the
 * middle of an emoji.
 */
export function withDisplayFields<T extends object>(auth: Context, provider: string, user: T): T {
  const { name, image }: DisplayFields = user
  const kept = (field: "name" | "image", value: unknown, shorten: (value: unknown) => unknown) => {
    const short = shorten(auth.adapter === undefined ? value : storable(value))
    // A column for text turns a number into one.
    if (short !== value && typeof value !== "number") warn(auth, provider, field)
    return short
  }
  return {
    ...user,
    ...(name === undefined ? {} : { name: kept("name", name, cut) }),
    ...(image === undefined ? {} : { image: kept("image", image, dropLong) }),
  }
}

function warn(auth: Context, provider: string, field: "name" | "image"): void {
  const limit = field === "name" ? maxProfileName : maxProfileImage
  const detail = `The \`${field}\` of a user of the provider "${provider}" is longer than ${limit} characters, isn't text, or has characters that databases refuse, so a part of it was left out. Return another one from \`profile()\``
  warnOfDropped(auth, { code: "profile-field-dropped", provider, field, detail })
}

/** Databases refuse NUL and lone surrogates in a text. */
function storable(value: unknown): unknown {
  if (value === null) return value
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? value.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\uFFFD") : null
}

/** Never between the two halves of a character. */
function cut(name: unknown): unknown {
  return isLong(name, maxProfileName) ? name.slice(0, maxProfileName).replace(/\p{Surrogate}$/u, "") : name
}

function dropLong(image: unknown): unknown {
  return isLong(image, maxProfileImage) ? null : image
}

function isLong(value: unknown, maximum: number): value is string {
  return typeof value === "string" && value.length > maximum
}
