import { type SetCookie, serializeCookie } from "@latchkey/core/session-reader"

/** What Next.js says of one cookie. */
interface Pair {
  readonly name: string
  readonly value: string
}

/** A `Cookie` header; a cookie that was just taken away is not in it. */
export function cookieHeader(cookies: readonly Pair[]): string {
  return cookies
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join("; ")
}

/** The cookies that a request would bring if the browser had these already. */
export function withCookies(header: string | null, cookies: readonly SetCookie[]): string {
  const replaced = new Set(cookies.map(({ name }) => name))
  const kept = (header ?? "").split(/;\s*/).filter((pair) => pair !== "" && !replaced.has(nameOf(pair)))
  const set = cookies
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return [...kept, ...set].join("; ")
}

/** One response has one cookie jar: of equal names the one that is there already stays (RFC 6265bis §4.1.1). */
export function missingFrom(existing: readonly string[], cookies: readonly SetCookie[]): string[] {
  const names = new Set(existing.map(nameOf))
  return cookies.filter(({ name }) => !names.has(name)).map(serializeCookie)
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0]?.trim() ?? ""
}
