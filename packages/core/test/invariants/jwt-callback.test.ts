import { createServer } from "@latchkey/core/server"
import type { AuthConfig, JWT, SecurityOptions } from "@latchkey/core/types"
import fc from "fast-check"
import { expect, test } from "vitest"
import { cookieHeader } from "../attacks/session-setup.js"
import { holds, patience } from "../fuzz/holds.js"
import { appOf, configOf, world } from "../modes/setup.js"

type Fields = Record<string, unknown>

const names = ["sub", "sid", "auth_time", "auth_time_assumed", "checked_at", "email", "email_verified", "emailVerified"]
const registered = ["exp", "iat", "nbf", "jti", "iss", "aud"]
const value = fc.oneof(
  fc.constantFrom<unknown>("grace", "grace@example.test", null, undefined, 0, 1, 9_999_999_999, true, [], {}),
  fc.string(),
  fc.date({ noInvalidDate: true }),
)
const claims = fc.dictionary(fc.constantFrom(...names, ...registered, "name", "role", "toJSON"), value, { maxKeys: 8 })

/** Ways to return the claims so that a check of them could miss something. */
const forms: Readonly<Record<string, (given: Fields) => unknown>> = {
  "an object": (given) => given,
  "a promise": async (given) => given,
  "a frozen object": (given) => Object.freeze(given),
  "an object without a prototype": (given) => Object.assign(Object.create(null), given) as Fields,
  "a proxy that answers differently each time": (given) => flipping(given),
  "getters that answer differently each time": (given) => withGetters(given),
  "an object with a toJSON method": (given) => ({ ...given, toJSON: () => ({ sub: "grace" }) }),
}

function flipping(given: Fields): Fields {
  const asked = new Map<PropertyKey, number>()
  return new Proxy(given, {
    get(target, key) {
      const times = asked.get(key) ?? 0
      asked.set(key, times + 1)
      return times === 0 ? Reflect.get(target, key) : "grace"
    },
  })
}

function withGetters(given: Fields): Fields {
  const result: Fields = {}
  for (const [key, first] of Object.entries(given)) {
    let times = 0
    Object.defineProperty(result, key, { enumerable: true, get: () => (times++ === 0 ? first : "grace") })
  }
  return result
}

interface Tampering {
  readonly returned: Fields
  readonly keepsToken: boolean
  readonly form: string
  readonly occasion: "signIn" | "read" | "browser" | "application"
}

const tampering: fc.Arbitrary<Tampering> = fc.record({
  returned: claims,
  keepsToken: fc.boolean(),
  form: fc.constantFrom(...Object.keys(forms)),
  occasion: fc.constantFrom("signIn", "read", "browser", "application"),
})

const noLog = { error: () => {}, warn: () => {}, debug: () => {} }

function claimsIn(session: unknown): Fields {
  return (session as { readonly claims?: Fields } | null)?.claims ?? {}
}

/** The claims before and after a callback that returns something else. */
async function tampered(security: SecurityOptions & { readonly mode?: "strict" }, given: Tampering) {
  const its = world()
  let active = given.occasion === "signIn"
  const callbacks: AuthConfig["callbacks"] = {
    jwt: ({ token }) => {
      if (!active) return token
      const whole = given.keepsToken ? { ...token, ...given.returned } : { ...given.returned }
      return forms[given.form]?.(whole) as JWT
    },
    // The claims as text, as `expires` of a session is typed.
    session: ({ session, token }) => ({ ...session, claims: { ...token } }),
  }
  const rest: Partial<AuthConfig> = { security, session: { strategy: "jwt" }, callbacks, logger: noLog }
  const browser = await appOf(its, rest)
  await browser.signInWith(its.op, { as: "ada" })
  active = false
  const shown = async (): Promise<Fields> => claimsIn(await browser.session())
  const before = await shown()
  active = true
  const server = createServer(configOf(its, { ...rest, runtime: its.clock.runtime }))
  const visitor = { headers: new Headers({ cookie: cookieHeader(browser) }) }
  let issued: readonly { readonly name: string; readonly value: string }[] = []
  if (given.occasion === "browser" || given.occasion === "read") {
    const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data: {} })
    const headers = { "content-type": "application/json" }
    await browser.fetch("/auth/session", given.occasion === "read" ? {} : { method: "POST", body, headers })
  }
  if (given.occasion === "application") issued = (await server.update(visitor, {})).cookies
  active = false
  const headers = new Headers({ cookie: issued.map(({ name, value }) => `${name}=${value}`).join("; ") })
  const after = issued.length === 0 ? await shown() : claimsIn((await server.session({ headers })).session)
  // What the `session` callback gets while the `jwt` callback interferes.
  active = true
  const presented = claimsIn((await server.session(visitor, { readOnly: true })).session)
  const userId = its.adapter.rows().users[0]?.id
  const now = Math.floor(its.clock.now() / 1000)
  return { userId, now, before, presented, after }
}

test(
  "under strict, whatever the jwt callback returns, the session keeps its user, its id and its times",
  () =>
    holds(
      fc.asyncProperty(tampering, async (given) => {
        const { userId, now, before, presented, after } = await tampered({ mode: "strict" }, given)
        expect(presented).toMatchObject({ sub: userId, auth_time: now, sid: before["sid"] })
        expect(after).toMatchObject({ sub: userId, auth_time: now, iat: now, exp: now + 2_592_000 })
        expect(after["sid"]).toBe(before["sid"])
        expect(["ada@example.test", undefined, null]).toContain(
          given.occasion === "application" ? "ada@example.test" : after["email"],
        )
        if (given.occasion === "read" || given.occasion === "browser") {
          for (const name of ["nbf", "iss", "aud", "email_verified", "emailVerified"])
            expect([before[name], undefined, null]).toContainEqual(after[name])
        }
      }),
      0.1,
    ),
  patience,
)

test(
  "under compatible, a revocable session keeps its user and its id",
  () =>
    holds(
      fc.asyncProperty(tampering, async (given) => {
        const { userId, before, after } = await tampered({ revocableSessions: true }, given)
        // As in Auth.js v5, a session with another `nbf` than a number can't be read.
        if (given.returned["nbf"] !== undefined && !("sub" in after)) return
        expect(after).toMatchObject({ sub: userId })
        expect(after["sid"]).toBe(before["sid"])
      }),
      0.05,
    ),
  patience,
)

test("under compatible, the callback may replace `sub` and the email, as in Auth.js v5", async () => {
  const returned = { sub: "own-id", email: "own@example.test", sid: "own-sid", auth_time: 1 }
  for (const occasion of ["signIn", "read", "browser", "application"] as const) {
    const given = { returned, keepsToken: true, form: "an object", occasion }
    expect((await tampered({}, given)).after).toMatchObject(returned)
  }
})
