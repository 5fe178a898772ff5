import { clearCookie, setCookie } from "../http/cookie.js"
import type { Issued } from "../model/session-strategy.js"
import type { Cookie, SetCookie } from "../model/cookie.js"
import type { Cookies } from "../model/http.js"

/** Characters of value that go into one cookie: Safari drops cookies over 4093 bytes, name and attributes included. */
const chunkLength = 3936

/** More parts than this and servers start to answer 431. */
export const maxChunks = 8

/**
 * The token that a browser sent under this name, whole or in parts `.0`, `.1`, …; exact names, no gaps. Only the last
 * part is shorter than the first: what follows it was put there by somebody else.
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

/** The cookies that carry a token; parts that are no longer needed are taken away. */
export function writeSessionCookie(cookie: Cookie, { token, expires }: Issued, present: Cookies): readonly SetCookie[] {
  const written = new Map<string, SetCookie>()
  for (const name of presentNames(present, cookie.name)) written.set(name, clearCookie(cookie, name))
  for (const [name, value] of split(cookie.name, token))
    written.set(name, setCookie({ ...cookie, name }, value, { expires }))
  return [...written.values()]
}

/** Takes away whatever a browser has under this name. */
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
