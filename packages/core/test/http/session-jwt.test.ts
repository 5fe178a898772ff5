import type { AuthConfig, JWT } from "@latchkey/core/types"
import { decode } from "@latchkey/core/jwt"
import { frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { app, cookieNames, csrfPair, secret, sessionCookie, sessionOf, setCookies, signedIn } from "./app.js"

const day = 86_400
const dropped = `${sessionCookie}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`

async function read(config: Partial<AuthConfig>, token: string) {
  const site = app(config)
  const response = await site.get("/auth/session", { cookie: `${sessionCookie}=${token}` })
  return { ...site, response, session: (await response.json()) as unknown }
}

async function update(config: Partial<AuthConfig>, token: string, data?: unknown) {
  const site = app(config)
  const csrf = await csrfPair(site.send)
  const headers = { "content-type": "application/json", cookie: `${csrf.cookie}; ${sessionCookie}=${token}` }
  const body = JSON.stringify({ csrfToken: csrf.token, data })
  const response = await site.send("/auth/session", { method: "POST", headers, body })
  return { ...site, response, session: (await response.json()) as unknown }
}

function throws(): never {
  throw new Error("the callback broke")
}

describe("reading", () => {
  test("returns name, email, image and the expiry", async () => {
    const { session } = await read({}, await sessionOf({ email: "a@b.c", picture: "/p.png", role: "admin" }, day))
    const expires = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(session).toEqual({ user: { name: "ada", email: "a@b.c", image: "/p.png" }, expires })
  })

  test("a fresh session isn't written again", async () => {
    expect(cookieNames((await read({}, await sessionOf({}))).response)).toEqual([])
  })

  test.each([
    ["an undecodable token", "x"],
    ["a token of five parts", "eyJhbGciOiJkaXIifQ..a.b.c"],
  ])("%s is null, and is taken away", async (_, token) => {
    const { session, response } = await read({}, token)
    expect([session, setCookies(response)]).toEqual([null, [dropped]])
  })

  test("a token of another site is null, and its cookie is cleared", async () => {
    const { session, response } = await read({ secret: [...secret].toReversed().join("") }, await sessionOf({}))
    expect([session, setCookies(response)]).toEqual([null, [dropped]])
  })

  test("a jwt callback that returns null ends the session", async () => {
    const { session, response } = await read({ callbacks: { jwt: () => null } }, await sessionOf({}))
    expect([session, setCookies(response)]).toEqual([null, [dropped]])
  })

  test("the jwt callback gets only the claims, and the session callback gets its result", async () => {
    const seen: object[] = []
    const jwt = (params: { token: JWT }) => {
      seen.push(params)
      return { ...params.token, role: "admin" }
    }
    const session = (params: { session: object; token: JWT }) => {
      seen.push(params)
      return { ...params.session, role: params.token["role"], expires: "" }
    }
    const { session: shown } = await read({ callbacks: { jwt, session } }, await sessionOf({}))
    expect(Object.keys(seen[0] ?? {})).toEqual(["token"])
    expect(seen[0]).toMatchObject({ token: { sub: "id-ada", iat: expect.any(Number), jti: expect.any(String) } })
    expect(Object.keys(seen[1] ?? {}).toSorted()).toEqual(["session", "token"])
    expect(shown).toMatchObject({ role: "admin" })
  })

  test("claims that the callback changed are written at once", async () => {
    const jwt = ({ token }: { token: JWT }) => ({ ...token, role: "admin" })
    const { response } = await read({ callbacks: { jwt } }, await sessionOf({}))
    const token = setCookies(response)[0]?.split(/[=;]/)[1]
    expect(await decode({ token: token ?? "", secret, salt: sessionCookie })).toMatchObject({
      role: "admin",
      sub: "id-ada",
    })
  })

  test("nested claims that the callback changed are written too", async () => {
    const jwt = ({ token }: { token: JWT }) => {
      Object.assign(token["rights"] ?? {}, { write: true })
      return token
    }
    expect(cookieNames((await read({ callbacks: { jwt } }, await sessionOf({ rights: {} }))).response)).toEqual([
      sessionCookie,
    ])
  })

  test.each([
    ["jwt", { jwt: throws }],
    ["session", { session: throws }],
  ])(
    "a %s callback that throws is logged, the response is null with status 503, and the cookie stays",
    async (_, callbacks) => {
      const { session, response, log } = await read({ callbacks }, await sessionOf({}))
      expect([response.status, session, cookieNames(response)]).toEqual([503, null, []])
      expect(
        log.entries.some(({ text }) => text.includes("JWTSessionError") && text.includes("the callback broke")),
      ).toBe(true)
    },
  )

  test("a session callback that returns nothing is null in JSON", async () => {
    // JavaScript applications can return nothing.
    const nothing = { session: (() => undefined) as unknown as () => never }
    expect((await read({ callbacks: nothing }, await sessionOf({}))).session).toBeNull()
  })

  test("the event gets the session and its claims, and its error changes nothing", async () => {
    const seen: unknown[] = []
    const session = (message: unknown) => {
      seen.push(message)
      throws()
    }
    const { session: shown, log } = await read({ events: { session } }, await sessionOf({}))
    expect(seen).toMatchObject([{ session: shown, token: { sub: "id-ada" } }])
    expect(log.entries.some(({ text }) => text.includes("EventError"))).toBe(true)
  })

  test.each([
    ["as text", secret, {}],
    ["as a list", [secret, "older"], {}],
    ["from `jwt.secret`", "unused", { secret }],
  ])("custom encode and decode functions get the lifetime, the salt, and the secret %s", async (_, given, own) => {
    const seen: unknown[] = []
    const jwt = {
      encode: async (params: unknown) => String(seen.push(params)),
      decode: async (params: unknown) => (seen.push(params) > 0 ? { sub: "own", name: "own" } : null),
    }
    const { session, response } = await update({ secret: given, jwt: { ...jwt, ...own } }, "opaque")
    expect(session).toMatchObject({ user: { name: "own" } })
    const common = { secret: Array.isArray(given) ? given : secret, maxAge: 30 * day, salt: sessionCookie }
    expect(seen).toMatchObject([
      { ...common, token: "opaque" },
      { ...common, token: { sub: "own" } },
    ])
    expect(setCookies(response)[0]).toMatch(`${sessionCookie}=2;`)
  })
})

describe("updating", () => {
  test("passes the data to both callbacks with the trigger, and writes a new token", async () => {
    const seen: object[] = []
    const jwt = (params: { token: JWT; trigger?: string; session?: unknown }) => {
      seen.push(params)
      return { ...params.token, name: "grace" }
    }
    const session = (params: { session: { expires: string }; trigger?: string }) => {
      seen.push(params)
      return params.session
    }
    const { session: shown, response } = await update({ callbacks: { jwt, session } }, await sessionOf({}), {
      name: "grace",
    })
    expect(seen).toMatchObject([
      { trigger: "update", session: { name: "grace" } },
      { trigger: "update", newSession: { name: "grace" } },
    ])
    expect([shown, cookieNames(response)]).toMatchObject([{ user: { name: "grace" } }, [sessionCookie]])
  })

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "x"],
    ["a number", 7],
    ["a list", [1]],
    ["a deep object", { a: { b: [{}] } }],
  ])("accepts %s as data", async (_, data) => {
    const { session } = await update({}, await sessionOf({}), data)
    expect(session).toMatchObject({ user: { name: "ada" } })
  })

  test("doesn't change the claims by itself", async () => {
    const { session } = await update({}, await sessionOf({}), { name: "eve", user: { name: "eve" }, sub: "eve" })
    expect(session).toMatchObject({ user: { name: "ada" } })
  })

  test("without a session is null", async () => {
    const response = await app().post("/auth/session", {})
    expect([response.status, await response.json(), cookieNames(response)]).toEqual([200, null, []])
  })

  test("keeps the cookie if a callback throws", async () => {
    const { session, response } = await update({ callbacks: { jwt: throws } }, await sessionOf({}), {})
    expect([session, cookieNames(response)]).toEqual([null, []])
  })
})

function cookieOf(maxAge: number): Partial<AuthConfig> {
  return { cookies: { sessionToken: { options: { maxAge } } } }
}

describe("lifetimes", () => {
  test.each([
    ["by default a day", {}, day],
    ["as set", { updateAge: 60 }, 60],
    ["a tenth of a short session", { maxAge: 600 }, 60],
    ["at once", { updateAge: 0 }, 0],
  ])("a session is written again when it's due: %s", async (_, session, due) => {
    const clock = frozenClock()
    const browser = await signedIn({ session }, { clock })
    if (due > 0) {
      clock.advance({ seconds: due - 1 })
      expect(setCookies(await browser.fetch("/auth/session"))).toEqual([])
      clock.advance({ seconds: 1 })
    }
    const [line] = setCookies(await browser.fetch("/auth/session"))
    const end = new Date(clock.now() + ("maxAge" in session ? session.maxAge : 30 * day) * 1000)
    expect(line).toMatch(`; Path=/; Expires=${end.toUTCString()}; HttpOnly; Secure; SameSite=Lax`)
    expect(line).not.toContain("Max-Age")
  })

  test.each([
    ["an updateAge that isn't shorter than maxAge", { session: { maxAge: 600, updateAge: 600 } }],
    ["an updateAge of most of maxAge", { session: { maxAge: 600, updateAge: 540 } }],
    ["a jwt.maxAge that is shorter than updateAge", { jwt: { maxAge: 600 } }],
    ["a lifetime of the cookie that is shorter than updateAge", cookieOf(600)],
    ["an updateAge that isn't a number", { session: { maxAge: 600, updateAge: Number.NaN } }],
  ])("a session in use doesn't end with %s", async (_, config) => {
    const clock = frozenClock()
    const browser = await signedIn(config, { clock })
    for (const seconds of [300, 300, 300, 300, 300]) {
      clock.advance({ seconds })
      expect(await browser.session()).not.toBeNull()
    }
    clock.advance({ seconds: 616 })
    expect(await browser.session()).toBeNull()
  })

  test("a configured lifetime of the cookie is written, but none that is longer than the session", async () => {
    for (const [maxAge, written] of [
      [300, 300],
      [6_000, 600],
    ] as const) {
      const config = { ...cookieOf(maxAge), session: { maxAge: 600 } }
      const response = await app(config).post("/auth/callback/credentials", { name: "ada", password: "open" })
      const line = setCookies(response).find((each) => each.startsWith(sessionCookie)) ?? ""
      expect(Number(/; Max-Age=(\d+);/.exec(line)?.[1])).toBeGreaterThanOrEqual(written - 2)
      expect(Number(/; Max-Age=(\d+);/.exec(line)?.[1])).toBeLessThanOrEqual(written)
      expect(line).toContain("; Expires=")
    }
  })

  test("the session ends at its expiry", async () => {
    const clock = frozenClock()
    const browser = await signedIn({ session: { maxAge: 600 } }, { clock })
    expect(await browser.session()).toMatchObject({ expires: new Date(clock.now() + 600_000).toISOString() })
    clock.advance({ seconds: 616 })
    expect(await browser.session()).toBeNull()
  })

  test("use extends a session until absoluteMaxAge", async () => {
    const clock = frozenClock()
    const rolling = await signedIn({ session: { maxAge: 600, updateAge: 0 } }, { clock })
    const bounded = await signedIn({ session: { maxAge: 600, updateAge: 0, absoluteMaxAge: 1_500 } }, { clock })
    for (const passed of [500, 1_000, 1_499, 1_500]) {
      clock.set(frozenClock().now() + passed * 1000)
      expect(await rolling.session(), `rolling at ${passed}`).not.toBeNull()
      expect((await bounded.session()) !== null, `bounded at ${passed}`).toBe(passed < 1_500)
    }
  })

  test("jwt.maxAge ends the session before session.maxAge", async () => {
    const clock = frozenClock()
    const browser = await signedIn({ session: { maxAge: 600 }, jwt: { maxAge: 60 } }, { clock })
    expect(await browser.session()).toMatchObject({ expires: new Date(clock.now() + 60_000).toISOString() })
    clock.advance({ seconds: 76 })
    expect(await browser.session()).toBeNull()
  })

  test("a session of the old secret is read, and gets a token of the new one", async () => {
    const fresh = [...secret].toReversed().join("")
    const { session, response } = await read({ secret: [fresh, secret] }, await sessionOf({}))
    expect(session).toMatchObject({ user: { name: "ada" } })
    const token = setCookies(response)[0]?.split(/[=;]/)[1] ?? ""
    expect(await decode({ token, secret: fresh, salt: sessionCookie })).toMatchObject({ sub: "id-ada" })
  })
})
