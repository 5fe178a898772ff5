import fc from "fast-check"
import { expect, test } from "vitest"
import type { AuthConfig } from "@latchkey/core/types"
import { compile } from "../compile.js"
import { toAuthRequest } from "../../src/http/auth-request.js"
import { resolveCallbackUrl, sameOriginOnly, toPage, toRoute } from "../../src/http/redirect.js"
import { maxCallbackUrl, maxUrlPart } from "../../src/limits/of-input.js"
import type { AuthRequest } from "../../src/model/http.js"
import { address } from "./addresses.js"
import { holds, patience } from "./holds.js"
import { nasty, wellFormed } from "./text.js"

const origin = "https://app.test"
const silent = { error: () => {}, warn: () => {}, debug: () => {} }
const base = {
  secret: "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs",
  url: origin,
  providers: [],
  logger: silent,
} satisfies AuthConfig

const usual = compile(base)
/** A `redirect` callback that allows everything. */
const lenient = compile({ ...base, callbacks: { redirect: ({ url }) => url } })

function incomingOf(at = origin): AuthRequest {
  const url = new URL("/auth/signin", at)
  return toAuthRequest(
    usual,
    { headers: new Headers(), origin: url.origin },
    { url, method: "GET", body: {}, route: { action: "signin", providerId: undefined } },
  )
}

const incoming = incomingOf()

/** Punycode of a long part that may be a host takes quadratic time. */
function hasLongPart(text: string): boolean {
  const [path = ""] = text.split(/[?#]/, 1)
  return path.split(/[/\\]/).some((part) => part.length > maxUrlPart && /\P{ASCII}/u.test(part))
}

test(
  "a callback URL is on this site, as a browser parses it",
  () =>
    holds(
      fc.asyncProperty(address, async (text) => {
        const safe = await resolveCallbackUrl(usual, incoming, text)
        expect(safe).toMatch(/^https:\/\/[^/\\]/i)
        expect(new URL(safe, "https://elsewhere.test/x").origin).toBe(origin)
        expect(safe).toMatch(/^[\x21-\x7e]*$/)
        expect(safe).not.toMatch(/^[^?#]*\\/)
        // A URL of this site stays unchanged, even in an unusual spelling.
        const wanted = URL.canParse(text, origin) ? new URL(text, origin) : undefined
        const isShort = text.length <= maxCallbackUrl && (wanted?.href.length ?? 0) <= 8192 && !hasLongPart(text)
        if (wanted?.origin === origin && wanted.protocol === "https:" && isShort)
          expect(new URL(safe).href).toBe(wanted.href)
      }),
    ),
  patience,
)

test(
  "the default `redirect` callback allows only this origin, whatever its port or scheme",
  () =>
    holds(
      fc.property(
        address,
        fc.constantFrom("https://app.test", "http://localhost:3000", "http://[::1]:3000"),
        (url, baseUrl) => {
          const allowed = sameOriginOnly({ url, baseUrl })
          expect(new URL(allowed, "data:,x").origin).toBe(baseUrl)
        },
      ),
    ),
  patience,
)

const active = /^(?:javascript|data|vbscript|blob|file|about|view-source):$/

test(
  "a `redirect` callback that allows everything cannot lead to a script, and leads only to what it returned",
  () =>
    holds(
      fc.asyncProperty(address, async (text) => {
        const safe = await resolveCallbackUrl(lenient, incoming, text)
        const { protocol, href } = new URL(safe)
        expect(protocol).not.toMatch(active)
        expect(safe).toMatch(/^[a-z][a-z0-9+.-]*:\/\//i)
        expect(safe).toMatch(/^[\x21-\x7e]*$/)
        const named = URL.canParse(text, origin) ? new URL(text, origin).href : `${origin}/`
        expect([named, `${origin}/`]).toContain(href)
      }),
    ),
  patience,
)

const answers = fc.oneof(
  address,
  fc.anything(),
  fc.constantFrom({ toString: () => "javascript:alert(1)" }, ["https://evil.test"]),
)

test(
  "any result of a `redirect` callback becomes a URL",
  () =>
    holds(
      fc.asyncProperty(answers, async (answer) => {
        const odd = { ...usual, callbacks: { ...usual.callbacks, redirect: () => answer as string } }
        const safe = await resolveCallbackUrl(odd, incoming, "/")
        expect(new URL(safe).protocol).not.toMatch(active)
        if (typeof answer !== "string") expect(safe).toBe(origin)
      }),
      0.5,
    ),
  patience,
)

const params = fc.dictionary(
  nasty.map((name) => wellFormed(name)),
  nasty,
  { maxKeys: 4 },
)

test(
  "the library's own URLs keep their path, whatever their parameters",
  () =>
    holds(
      fc.property(
        params,
        fc.constantFrom("signin", "error", "callback/op"),
        fc.constantFrom("/login", "/login?a=b#c", "https://login.test/x"),
        (given, path, page) => {
          const route = new URL(toRoute(incoming, path, given))
          expect(route.origin + route.pathname).toBe(`${origin}/auth/${path}`)
          expect([...route.searchParams]).toEqual(
            Object.entries(given).map(([name, value]) => [name, wellFormed(value)]),
          )
          const own = new URL(toPage(incoming, page, given), origin)
          expect(own.origin + own.pathname).toBe(page.startsWith("/") ? `${origin}/login` : "https://login.test/x")
          expect(own.hash).toBe(page.includes("#") ? "#c" : "")
          for (const [name, value] of Object.entries(given)) expect(own.searchParams.get(name)).toBe(wellFormed(value))
        },
      ),
      0.5,
    ),
  patience,
)
