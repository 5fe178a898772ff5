/** A parsed `Set-Cookie` header, before the browser accepts or rejects it. */
export interface ParsedCookie {
  readonly name: string
  readonly value: string
  readonly domain: string | undefined
  readonly path: string | undefined
  readonly secure: boolean
  readonly httpOnly: boolean
  /** `lax` if the attribute is missing or unknown. */
  readonly sameSite: "strict" | "lax" | "none"
  /** Milliseconds since 1970; `undefined` for a cookie that lasts until the browser closes. */
  readonly expires: number | undefined
}

/** RFC 6265bis §5.6: the limits in bytes for name and value together, and for each attribute value. */
const maxPairLength = 4096
const maxAttributeLength = 1024
/** RFC 6265bis §5.5: 400 days. */
const maxLifetimeMs = 400 * 86_400_000

const encoder = new TextEncoder()

/** RFC 6265bis §5.6. Returns `undefined` if a browser ignores the header. */
export function parseSetCookie(line: string, now: number): ParsedCookie | undefined {
  if (hasControls(line)) return undefined
  const [pair = "", ...rest] = line.split(";")
  const { name, value } = splitPair(pair)
  if (encoder.encode(name + value).length > maxPairLength || name + value === "") return undefined
  const attributes = readAttributes(rest)
  return {
    name,
    value,
    domain: attributes.get("domain")?.replace(/^\./, "").toLowerCase(),
    path: attributes.get("path"),
    secure: attributes.has("secure"),
    httpOnly: attributes.has("httponly"),
    sameSite: sameSiteOf(attributes.get("samesite")),
    expires: expiryOf(attributes, now),
  }
}

function hasControls(line: string): boolean {
  return Array.from(line).some((character) => (character < " " && character !== "\t") || character === "\u007f")
}

function splitPair(pair: string): { readonly name: string; readonly value: string } {
  const at = pair.indexOf("=")
  return at < 0
    ? { name: "", value: pair.trim() }
    : { name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() }
}

/** The last of repeated attributes is used. */
function readAttributes(parts: readonly string[]): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const part of parts) {
    const at = part.indexOf("=")
    const name = (at < 0 ? part : part.slice(0, at)).trim().toLowerCase()
    const value = at < 0 ? "" : part.slice(at + 1).trim()
    if (encoder.encode(value).length <= maxAttributeLength) attributes.set(name, value)
  }
  return attributes
}

function sameSiteOf(value: string | undefined): ParsedCookie["sameSite"] {
  const known = value?.toLowerCase()
  return known === "strict" || known === "none" ? known : "lax"
}

/** `Max-Age` takes precedence over `Expires`. Invalid values are ignored. */
function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number | undefined {
  const maxAge = attributes.get("max-age")
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
    const seconds = Number(maxAge)
    return seconds <= 0 ? 0 : now + Math.min(seconds * 1000, maxLifetimeMs)
  }
  const expires = Date.parse(attributes.get("expires") ?? "")
  return Number.isNaN(expires) ? undefined : Math.min(expires, now + maxLifetimeMs)
}
