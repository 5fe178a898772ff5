import { clearCookie, setCookie } from "../http/cookie.js"
import type { Issued } from "../model/session-strategy.js"
import type { Cookie, CookieOptions, SetCookie } from "../model/cookie.js"
import type { Cookies } from "../model/http.js"
import { chunkLength } from "./session-size.js"

/**
 * The token in the cookie of this name, or in its chunks `.0`, `.1`, … without gaps. All chunks but the last are as long
 * as the first, so a chunk after a shorter one is left over from another token.
 */
export function readSessionCookie(cookies: Cookies, name: string): string | undefined {
  const whole = cookies.get(name)
  if (whole !== undefined && whole !== "") return whole
  const first = cookies.get(`${name}.0`)
  if (first === undefined || first === "") return undefined
  let joined = first
  let part: string | undefined = first
  for (let index = 1; part?.length === first.length; index++) {
    part = cookies.get(`${name}.${index}`)
    joined += part ?? ""
  }
  return joined
}

/**
 * The cookies that hold a token, and the removal of chunks that it no longer needs. `now` is in milliseconds since 1970. It
 * matters only if the configuration sets `maxAge`.
 */
export function writeSessionCookie(
  cookie: Cookie,
  { token, expires }: Issued,
  present: Cookies,
  now = 0,
): readonly SetCookie[] {
  const written = new Map<string, SetCookie>()
  for (const name of presentNames(present, cookie.name)) written.set(name, clearCookie(cookie, name))
  const lifetime = lifetimeOf(cookie, expires, now)
  for (const [name, value] of split(cookie.name, token))
    written.set(name, setCookie({ ...cookie, name }, value, lifetime))
  return [...written.values()]
}

/** In browsers, `Max-Age` wins over `Expires`. A configured one must not be longer than the session. */
function lifetimeOf(
  { options: { maxAge } }: Cookie,
  expires: Date,
  now: number,
): Pick<CookieOptions, "maxAge" | "expires"> {
  if (maxAge === undefined) return { expires }
  return { expires, maxAge: Math.max(0, Math.min(maxAge, Math.floor((expires.getTime() - now) / 1000))) }
}

/** Removes the cookie of this name and its chunks. */
export function clearSessionCookie(cookie: Cookie, present: Cookies): readonly SetCookie[] {
  return presentNames(present, cookie.name).map((name) => clearCookie(cookie, name))
}

function split(name: string, token: string): readonly (readonly [string, string])[] {
  if (token.length <= chunkLength) return [[name, token]]
  const count = Math.ceil(token.length / chunkLength)
  return Array.from({ length: count }, (_, index) => {
    const start = index * chunkLength
    return [`${name}.${index}`, token.slice(start, start + chunkLength)] as const
  })
}

function presentNames(cookies: Cookies, name: string): string[] {
  return [...cookies.keys()].filter((key) => key === name || isPart(key, name))
}

function isPart(key: string, name: string): boolean {
  return key.startsWith(`${name}.`) && /^\d{1,2}$/.test(key.slice(name.length + 1))
}
