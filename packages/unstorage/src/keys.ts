/** A key at which a row can be. */
export interface Slot {
  readonly key: string
  /** Whether new rows may be written here. Otherwise only `@auth/unstorage-adapter` wrote here. */
  readonly isWritable: boolean
}

/** Where a row can be, in the order in which to look for it. */
export interface Place {
  readonly slots: readonly Slot[]
  /** Whether several rows can lead to the first slot. */
  readonly isAmbiguous: boolean
}

/**
 * The key that `@auth/unstorage-adapter` uses, and a key that no other row can have. unstorage cuts a key off at `?`, and turns `/` and
 * `\` into `:`. So two emails, or two ids of credentials in base64, can have the same key.
 */
export function placeOf(prefix: string, parts: readonly string[]): Place {
  const joined = parts.join(":")
  const exact = { key: exactKey(`${prefix}exact:`, parts), isWritable: true }
  if (invalid.test(joined)) return { slots: [exact], isAmbiguous: true }
  const isWritable = parts.every((part) => segments.test(part) && isShort(part)) && !reserved.test(joined)
  const isAmbiguous = !isWritable || parts.some((part) => separator.test(part))
  return { slots: [{ key: normalizeKey(prefix + joined), isWritable }, exact], isAmbiguous }
}

/** A key that no other parts have. */
export function exactKey(prefix: string, parts: readonly string[]): string {
  return normalizeKey(`${prefix}${parts.map(escapePart).join(":")}`)
}

/** Where all rows with the same first part are. */
export interface Area {
  readonly prefixes: readonly string[]
  /** Of what `@auth/unstorage-adapter` wrote if unstorage cuts the key off within the first part. */
  readonly key?: string
}

export function areaOf(prefix: string, part: string): Area {
  const exact = normalizeKey(`${prefix}exact:${escapePart(part)}`)
  if (invalid.test(part)) return { prefixes: [`${exact}:`] }
  const joined = normalizeKey(prefix + part)
  return part.includes("?") ? { prefixes: [`${exact}:`], key: joined } : { prefixes: [`${joined}:`, `${exact}:`] }
}

/** Such a text can't be part of a key, so there is no row with it. */
export function isStorable(text: unknown): text is string {
  return typeof text === "string" && !/\p{Surrogate}/u.test(text)
}

/** The same as `normalizeKey` of unstorage, which it applies to each key. */
export function normalizeKey(key: string): string {
  const [path = ""] = key.split("?")
  return path.replace(/[/\\]/g, ":").replace(/:+/g, ":").replace(/^:|:$/g, "")
}

const separator = /[:/]/

/** Text that keeps its length in a key. */
const segments = /^[^:/\\?]+(?:[:/][^:/\\?]+)*$/

/** With the default prefixes, this begins the keys of other kinds of rows. */
const reserved = /^(?:by-user-id|exact)(?:$|[:/\\?])/

/** unstorage or its file drivers reject these: control characters, and dots that could lead out of a folder. */
const invalid = /\p{Cc}|\.\.(?:$|[:/\\?])|(?:^|[:/\\])\.(?:$|[:/\\?])/u

/** The names of files have at most 255 bytes. */
const maxSegment = 240

function isShort(part: string): boolean {
  return part.split(separator).every((segment) => new TextEncoder().encode(segment).length <= maxSegment)
}

function escapePart(part: string): string {
  // An empty part would disappear from the key. Otherwise `%` is always followed by digits.
  if (part === "") return "%"
  const escaped = encodeURIComponent(part).replaceAll(".", "%2E")
  // No escaped part contains `+`, so a continuation can't be another part.
  return (escaped.match(/.{1,200}/g) ?? []).join(":+")
}
