import type { Cookie, CookieOptions, SetCookie } from "../model/cookie.js"
import { maxCookie, maxCookieHeader, maxCookies } from "../limits/of-input.js"
import type { Cookies } from "../model/http.js"

/** The cookies of a request, as far as they're within the limits. */
export interface CookieHeader {
  readonly cookies: Cookies
  /** There are more, or longer ones. */
  readonly omitsSome: boolean
}

/** Parses a `Cookie` header (RFC 6265bis §5.8.3). The first of repeated names wins; invalid escapes stay as they are. */
export function readCookieHeader(given: string | null): CookieHeader {
  const header = withinLimit(given ?? "")
  const cookies = new Map<string, string>()
  let omitsSome = header.length !== (given ?? "").length
  let count = 0
  let start = 0
  let equals = header.indexOf("=")
  // Searching for `=` in each part again would take quadratic time on a header without any.
  while (equals !== -1) {
    const end = endOf(header, start)
    if (equals < end) {
      if (++count > maxCookies) return { cookies, omitsSome: true }
      if (end - start > maxCookie) omitsSome = true
      else add(cookies, header.slice(start, equals), header.slice(equals + 1, end))
      equals = header.indexOf("=", end)
    }
    start = end + 1
  }
  return { cookies, omitsSome }
}

/** The whole cookies before the limit. One that is cut off would have another value. */
function withinLimit(header: string): string {
  return header.length <= maxCookieHeader ? header : header.slice(0, header.lastIndexOf(";", maxCookieHeader) + 1)
}

function endOf(header: string, start: number): number {
  const end = header.indexOf(";", start)
  return end === -1 ? header.length : end
}

function add(cookies: Map<string, string>, given: string, value: string): void {
  const name = trimmed(given)
  if (name !== "" && !cookies.has(name)) cookies.set(name, decode(unquote(trimmed(value))))
}

/** The cookies of a `Cookie` header, without those beyond the limits. */
export function parseCookies(header: string | null): Cookies {
  return readCookieHeader(header).cookies
}

/**
 * Removes the whitespace of RFC 9110 §5.6.3. `trim()` removes more: an attacker can set a cookie whose name starts with a
 * no-break space, and it must not become a cookie with the `__Host-` prefix.
 */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (isSpace(text.charCodeAt(start))) start++
  while (isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function unquote(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

function decode(value: string): string {
  if (!value.includes("%")) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** A token (RFC 9110 §5.6.2). */
export const validName: RegExp = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Cookie octets (RFC 6265bis §4.1.1). */
const validValue = /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]*$/
export const validDomain: RegExp = /^\.?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i
/** No control characters, and no `;`, which would start another attribute. */
export const validPath: RegExp = /^[\x20-\x3A\x3C-\x7E]*$/

/**
 * Writes a `Set-Cookie` value, with the attributes in the order of Auth.js.
 *
 * @throws TypeError if a part contains characters that a browser would read as something else
 */
export function serializeCookie({ name, value, options }: SetCookie): string {
  const encoded = (options.encode ?? encodeURIComponent)(value)
  require(validName.test(name), "name", name)
  require(validValue.test(encoded), "value", name)
  return `${name}=${encoded}${serializeAttributes(name, options)}`
}

function serializeAttributes(name: string, options: CookieOptions): string {
  const { maxAge, domain, path, expires } = options
  require(maxAge === undefined || Number.isInteger(maxAge), "maxAge (whole seconds)", name)
  require(domain === undefined || validDomain.test(domain), "domain", name)
  require(path === undefined || validPath.test(path), "path", name)
  require(expires === undefined || !Number.isNaN(expires.getTime()), "expires", name)
  let text = maxAge === undefined ? "" : `; Max-Age=${maxAge}`
  if (domain !== undefined) text += `; Domain=${domain}`
  if (path !== undefined) text += `; Path=${path}`
  if (expires !== undefined) text += `; Expires=${expires.toUTCString()}`
  return text + flags(name, options) + serializeSameSite(options.sameSite, name)
}

function flags(name: string, { httpOnly, secure, partitioned, priority }: CookieOptions): string {
  let text = httpOnly === true ? "; HttpOnly" : ""
  if (secure === true) text += "; Secure"
  if (partitioned === true) text += "; Partitioned"
  if (priority !== undefined) text += `; Priority=${oneOf(priorities, priority, "priority", name)}`
  return text
}

const priorities: ReadonlyMap<unknown, string> = new Map([
  ["low", "Low"],
  ["medium", "Medium"],
  ["high", "High"],
])

const sameSites: ReadonlyMap<unknown, string> = new Map([
  ["strict", "Strict"],
  ["lax", "Lax"],
  ["none", "None"],
])

function serializeSameSite(sameSite: CookieOptions["sameSite"], name: string): string {
  if (sameSite === undefined || sameSite === false) return ""
  return `; SameSite=${sameSite === true ? "Strict" : oneOf(sameSites, sameSite, "sameSite", name)}`
}

function oneOf(table: ReadonlyMap<unknown, string>, value: string, attribute: string, name: string): string {
  const found = table.get(value.toLowerCase())
  if (found === undefined) throw invalid(attribute, name)
  return found
}

function require(holds: boolean, part: string, name: string): void {
  if (!holds) throw invalid(part, name)
}

function invalid(part: string, name: string): TypeError {
  return new TypeError(`The cookie ${JSON.stringify(name)} has an invalid ${part}. Correct it in \`cookies\``)
}

/** Browsers accept such a cookie only from the host itself (RFC 6265bis §4.1.3.2). */
export function isHostOnly({ name }: Pick<Cookie, "name">): boolean {
  return name.startsWith("__Host-")
}

/**
 * A cookie of our own, which Auth.js doesn't know, so its name can have the prefix `__Host-`: a sibling domain must not plant
 * its own attempt to sign in. A cookie with a domain or another path can't have it, and a configured name stays.
 */
export function withHostPrefix(cookie: Cookie): Cookie {
  const { name, options } = cookie
  const isOpen = options.domain !== undefined || options.path !== "/" || options.secure !== true
  return isOpen || !name.startsWith("__Secure-authjs.")
    ? cookie
    : { ...cookie, name: name.replace("__Secure-", "__Host-") }
}

export function setCookie(
  cookie: Cookie,
  value: string,
  lifetime: Pick<CookieOptions, "maxAge" | "expires"> = {},
): SetCookie {
  return { name: cookie.name, value, options: { ...cookie.options, ...lifetime } }
}

/** A browser only removes a cookie whose domain and path match, so the attributes stay. */
export function clearCookie(cookie: Cookie, name: string = cookie.name): SetCookie {
  const { expires: _, ...options } = cookie.options
  return { name, value: "", options: { ...options, maxAge: 0 } }
}
