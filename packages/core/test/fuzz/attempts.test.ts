import fc from "fast-check"
import { expect, test } from "vitest"
import { AuthError, InvalidCheck } from "@latchkey/core/errors"
import { maxQuery } from "../../src/limits/of-input.js"
import { holds, patience } from "./holds.js"
import { signIn } from "./stand-in.js"
import { header, mutated, nasty, wellFormed } from "./text.js"

const params = fc.dictionary(
  fc.oneof(fc.constantFrom("code", "state", "iss", "error", "error_description", "id_token", "access_token"), nasty),
  fc.oneof(nasty, fc.constant("@state"), mutated(fc.constant("@state"))),
  { maxKeys: 4 },
)

test(
  "a callback with other parameters is refused with a typed error before any request to the provider",
  () =>
    holds(
      fc.asyncProperty(params, fc.constantFrom("compatible" as const, "strict" as const), async (changes, mode) => {
        let state = ""
        let isOverlong = false
        const returning = (honest: URLSearchParams) => {
          state = honest.get("state") ?? ""
          for (const [name, value] of Object.entries(changes)) honest.set(name, value.replaceAll("@state", state))
          isOverlong = honest.toString().length >= maxQuery
          return honest.toString()
        }
        const { responses, errors, session, asked } = await signIn({ returning, mode })
        const [, back] = responses
        expect(back?.status).toBe(isOverlong ? 400 : 302)
        if (isOverlong) return
        expect(new URL(back?.headers.get("location") ?? "").origin).toBe("https://app.test")
        for (const error of errors)
          expect(["InvalidCheck", "OAuthCallbackError", "CallbackRouteError"]).toContain(
            error instanceof AuthError ? error.type : error,
          )
        const sent = changes["state"] === undefined ? state : wellFormed(changes["state"].replaceAll("@state", state))
        if (sent === state) return
        expect([session, errors[0]]).toEqual([null, expect.any(InvalidCheck)])
        expect(asked.some((address) => address.endsWith("/token"))).toBe(false)
      }),
      0.2,
    ),
  patience,
)

test(
  "a changed flow cookie belongs to no sign-in",
  () =>
    holds(
      fc.asyncProperty(mutated(fc.constant("@")), fc.nat(2000), header, async (text, at, other) => {
        let whole = ""
        let changed = ""
        const { session, errors } = await signIn({
          returning: (params) => params.toString(),
          flow: (cookie) => {
            whole = cookie
            const place = at % cookie.length
            const next =
              at % 2 === 0
                ? text.replaceAll("@", cookie)
                : cookie.slice(0, place) + other.slice(0, 3) + cookie.slice(place + 1)
            changed = next.replace(/[^\x20-\x7e]/g, "")
            return changed
          },
        })
        if (changed.includes(whole) || cookieIn(changed) === cookieIn(whole)) return
        expect(session).toBeNull()
        expect(errors[0]).toBeInstanceOf(InvalidCheck)
      }),
      0.1,
    ),
  patience,
)

/** Surrounding spaces and everything after a semicolon aren't part of the cookie. */
function cookieIn(header: string): string {
  const [name = "", value = ""] = (header.split(";").find((part) => part.includes("authjs.state.")) ?? "").split("=")
  try {
    return `${name.trim()}=${decodeURIComponent(value.trim().replace(/^"(.*)"$/, "$1"))}`
  } catch {
    return header
  }
}
