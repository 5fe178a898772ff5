import fc from "fast-check"
import { expect, test } from "vitest"
import { parseCookies, serializeCookie } from "../../src/http/cookie.js"
import { maxCookie, maxSessionParts } from "../../src/limits/of-input.js"
import { writeSessionCookie, clearSessionCookie, readSessionCookie } from "../../src/session/session-cookie.js"
import { holds, patience } from "./holds.js"
import { mutated, nasty, piece, wellFormed } from "./text.js"

const pair = fc
  .tuple(fc.oneof(piece, fc.constantFrom("a", "session.0", "__Host-a")), nasty)
  .map((both) => both.join("="))
const headers = fc.oneof(
  mutated(fc.constantFrom('a=1; b="2"; c=%20; a=3', "__Secure-authjs.session-token.0=x; __Host-a=b", ";;=;a")),
  fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join(";")),
  nasty,
)

/** RFC 6265bis literally, without regard to speed, and without cookies that no browser stores. */
function plainly(header: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const part of header.split(";").filter((each) => each.includes("=") && each.length <= maxCookie)) {
    const [name = "", ...values] = part.split("=").map(String)
    const [key, value] = [bare(name), bare(values.join("="))]
    if (key !== "" && !found.has(key))
      found.set(key, decoded(/^"(?<inner>[^]*)"$/.exec(value)?.groups?.["inner"] ?? value))
  }
  return found
}

function bare(text: string): string {
  return text.replace(/^[ \t]+/, "").replace(/[ \t]+$/, "")
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

test(
  "any cookie header is parsed as RFC 6265bis says",
  () =>
    holds(
      fc.property(headers, (header) => {
        expect(parseCookies(header)).toEqual(plainly(header))
      }),
    ),
  patience,
)

const whole = fc.string({ unit: "grapheme", maxLength: 200 }).map(wellFormed)
const attributes = fc.record(
  {
    maxAge: fc.integer(),
    domain: fc.oneof(nasty, fc.constant("app.test")),
    path: fc.oneof(nasty, fc.constant("/")),
    expires: fc.date({ noInvalidDate: false }),
    httpOnly: fc.boolean(),
    secure: fc.boolean(),
    sameSite: fc.constantFrom("lax" as const, "strict" as const, "none" as const, true, false),
  },
  { requiredKeys: [] },
)

test(
  "a serialized cookie can be read back, and its value adds no attribute",
  () =>
    holds(
      fc.property(
        fc.oneof(nasty, fc.constantFrom("a", "__Host-b.0")),
        fc.oneof(nasty, whole),
        attributes,
        (name, value, options) => {
          let line: string
          try {
            line = serializeCookie({ name, value, options })
          } catch (cause) {
            // A configured name, or half a surrogate pair: nothing ambiguous was written.
            expect(cause instanceof TypeError || cause instanceof URIError).toBe(true)
            return
          }
          const [first = "", ...rest] = line.split("; ")
          expect(parseCookies(first)).toEqual(new Map(first.length > maxCookie ? [] : [[name, value]]))
          expect(rest).toHaveLength(
            Object.values(options).filter((each) => each !== false && each !== undefined).length,
          )
          expect(line).toMatch(/^[\x20-\x7e]*$/)
        },
      ),
    ),
  patience,
)

const plainNames = fc.constantFrom("authjs.session-token", "__Host-a", "x")
const tokens = fc
  .tuple(
    fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(..."abcXYZ019-_.") }),
    fc.integer({ min: 1, max: 2000 }),
  )
  .map(([text, times]) => text.repeat(times).slice(0, 3936 * (maxSessionParts + 1)))
const leftovers = fc.array(fc.tuple(fc.constantFrom("", ".0", ".1", ".2", ".9", ".10", ".x", ".00", ".-1"), nasty), {
  maxLength: 6,
})

test(
  "a token in chunks can be read back, whatever cookies the browser had before",
  () =>
    holds(
      fc.property(plainNames, tokens, leftovers, (name, token, before) => {
        const jar = new Map(before.map(([end, value]) => [name + end, value]))
        const cookie = { name, options: { path: "/" } }
        const lines = writeSessionCookie(cookie, { token, expires: new Date(0) }, jar).map(serializeCookie)
        for (const line of lines)
          for (const [key, value] of parseCookies(line.split(";", 1)[0] ?? "")) jar.set(key, value)
        for (const line of lines) if (line.includes("Max-Age=0")) jar.delete(line.split("=", 1)[0] ?? "")
        expect(readSessionCookie(jar, name)).toBe(token)
        const dropped = new Set(clearSessionCookie(cookie, jar).map((each) => each.name))
        expect(readSessionCookie(new Map([...jar].filter(([key]) => !dropped.has(key))), name)).toBeUndefined()
        expect(lines.every((line) => line.length < 4093)).toBe(true)
      }),
    ),
  patience,
)

test(
  "chunks in any order and number give a string or nothing",
  () =>
    holds(
      fc.property(headers, leftovers, (header, parts) => {
        const jar = parseCookies(parts.map(([end, value]) => `a${end}=${value}`).join(";") + header)
        const found = readSessionCookie(jar, "a")
        const all = [...jar.values()].join("")
        expect(found === undefined || (found !== "" && found.length <= all.length)).toBe(true)
      }),
    ),
  patience,
)
