import { getToken } from "@latchkey/core/jwt"
import type { AuthConfig, SessionOptions } from "@latchkey/core/types"
import { type Browser, frozenClock } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import {
  appOf,
  cookieNames,
  redeployed,
  sessionCookie,
  strongSecret,
  whoIs,
  type World,
  world,
} from "../modes/setup.js"
import { type Forged, forgeVersion4, putCookie, version4Name } from "../version4/setup.js"
import { byWord, forge, sessionName } from "./session-setup.js"

type Version4 = Exclude<SessionOptions["version4"], undefined>

interface Settings extends Partial<Omit<AuthConfig, "session">> {
  readonly session?: SessionOptions
}

/** An application that accepts sessions of version 4: by default, or under `"strict"` until a date. */
async function acceptingApp(mode: Mode, its: World, { session, ...rest }: Settings = {}): Promise<Browser> {
  const version4: Version4 = mode === "strict" ? { acceptUntil: "2026-06-01" } : {}
  return appOf(its, { security: mode, ...rest, session: { strategy: "jwt", version4, ...session } })
}

function times({ clock }: World): { readonly iat: number; readonly exp: number } {
  const iat = Math.floor(clock.now() / 1000)
  return { iat, exp: iat + 2_592_000 }
}

/** The user id has to exist, because strict sessions have a row. */
async function ada(its: World): Promise<{ readonly sub: string; readonly email: string }> {
  const email = "ada@example.test"
  const user =
    (await its.adapter.getUserByEmail(email)) ?? (await its.adapter.createUser({ id: "1", email, emailVerified: null }))
  return { sub: user.id, email }
}

async function tokenOf(its: World, forged: Partial<Forged> = {}): Promise<string> {
  const { content = {}, ...rest } = forged
  const claims = typeof content === "string" ? content : { ...(await ada(its)), ...times(its), ...content }
  return forgeVersion4({ content: claims, ...rest })
}

attack("V4-01", "a token with other algorithms, a `kid` or extensions isn't a session of version 4", async (mode) => {
  const its = world()
  const headers = [
    {},
    { enc: "A128CBC-HS256" },
    { enc: "A256CBC-HS512" },
    { enc: "A128GCM" },
    { alg: "A256GCMKW" },
    { alg: "none" },
    { alg: "HS256" },
    { kid: "x" },
    { zip: "DEF" },
    { crit: ["b64"], b64: false },
  ]
  const accepted = []
  for (const header of headers) {
    const browser = await acceptingApp(mode, its)
    putCookie(browser, version4Name, await tokenOf(its, { header }))
    if ((await browser.session()) !== null) accepted.push(header)
  }
  expect(accepted).toEqual([{}])
})

attack("V4-01", "a token that was sealed with another secret or for another cookie isn't a session", async (mode) => {
  const its = world()
  const browser = await acceptingApp(mode, its)
  const good = await tokenOf(its)
  const bad = [
    await tokenOf(its, { secret: "mallorys-own-secret-0123456789-abcdef" }),
    await tokenOf(its, { secret: "" }),
    ...(await Promise.all(
      ["next-auth.state", "__Secure-next-auth.pkce.code_verifier", version4Name].map(async (salt) =>
        tokenOf(its, { salt }),
      ),
    )),
    good.replace(/\.(.)([^.]+)$/, (_, first, rest) => `.${first === "A" ? "B" : "A"}${rest}`),
    good.replace("..", ".AAAA."),
    `${good}.x`,
    `${good}=`,
    good.split(".").slice(0, 4).join("."),
    "",
    "null",
  ]
  for (const token of bad) {
    putCookie(browser, version4Name, token)
    expect(await browser.session(), token).toBeNull()
  }
  putCookie(browser, version4Name, good)
  expect(await whoIs(browser)).toBe("ada@example.test")
})

attack("V4-02", "a token without a valid time isn't a session of version 4", async (mode) => {
  const its = world()
  const { iat, exp } = times(its)
  const month = 2_592_000
  const contents: (object | string)[] = [
    { exp: undefined },
    { exp: null },
    { exp: String(exp) },
    { exp: [exp] },
    { exp: iat - 16 },
    { iat: String(iat) },
    { nbf: iat + 60 },
    { iat: iat - month - 60 },
    "null",
    "[]",
    '"text"',
    "{",
  ]
  for (const content of contents) {
    const browser = await acceptingApp(mode, its)
    putCookie(browser, version4Name, await tokenOf(its, { content }))
    expect(await browser.session(), JSON.stringify(content)).toBeNull()
  }
})

attack("V4-03", "neither format is accepted in the cookie of the other", async (mode) => {
  const its = world()
  const content = { ...(await ada(its)), ...times(its) }
  const own = sessionName(mode)
  for (const [name, token] of [
    [own, forgeVersion4({ content })],
    [version4Name, forge({ salt: own, content })],
    [version4Name, forge({ salt: version4Name, content })],
    [version4Name, forge({ salt: "", content })],
  ] as const) {
    const browser = await acceptingApp(mode, its)
    putCookie(browser, name, token)
    expect(await browser.session()).toBeNull()
  }
})

attack("V4-04", "after a sign-out, no cookie of version 4 signs in again", async (mode) => {
  const its = world()
  for (const visits of [0, 1, 2]) {
    const browser = await acceptingApp(mode, its)
    putCookie(browser, version4Name, await tokenOf(its))
    for (let visit = 0; visit < visits; visit++) expect(await whoIs(browser)).toBe("ada@example.test")
    await browser.signOut()
    expect(cookieNames(browser)).toEqual([])
    expect(await browser.session()).toBeNull()
  }
})

attack("V4-05", "after a sign-in as another user, the session of version 4 doesn't win or come back", async (mode) => {
  const its = world()
  await its.adapter.createUser({ id: "2", email: "grace@example.test", emailVerified: null })
  const browser = await acceptingApp(mode, its, { providers: [byWord(its)] })
  const token = await tokenOf(its)
  putCookie(browser, version4Name, token)
  await browser.signIn("credentials", { name: "grace", word: "open" })
  expect(cookieNames(browser)).toEqual([sessionName(mode)])
  expect(await whoIs(browser)).toBe("grace@example.test")
  putCookie(browser, version4Name, token)
  expect(await whoIs(browser)).toBe("grace@example.test")
  await browser.signOut()
  expect(await browser.session()).toBeNull()
})

attack("V4-06", "a session that has ended isn't followed by the one of version 4", async (mode) => {
  const its = world()
  const revocable = { security: { mode, revocableSessions: true } } as const
  const browser = await acceptingApp(mode, its, revocable)
  putCookie(browser, version4Name, await tokenOf(its))
  expect(await whoIs(browser)).toBe("ada@example.test")
  expect(its.adapter.rows().sessions).toHaveLength(1)
  for (const { sessionToken } of its.adapter.rows().sessions) await its.adapter.deleteSession(sessionToken)
  expect(await browser.session()).toBeNull()
  expect(cookieNames(browser)).toEqual([])
  expect(await browser.session()).toBeNull()
})

attack("V4-06", "a token of version 4 can't name a session that was revoked", async (mode) => {
  const its = world()
  const browser = await acceptingApp(mode, its, { security: { mode, revocableSessions: true } })
  putCookie(browser, version4Name, await tokenOf(its, { content: { sid: "revoked" } }))
  expect(await browser.session()).toBeNull()
})

attack("V4-06", "a custom `decode` doesn't accept a revoked session under the name of version 4", async (mode) => {
  const its = world()
  const jwt: AuthConfig["jwt"] = {
    encode: ({ token }) => Buffer.from(JSON.stringify(token)).toString("base64url"),
    decode: ({ token }) => JSON.parse(Buffer.from(token ?? "", "base64url").toString()),
  }
  const browser = await acceptingApp(mode, its, { jwt, security: { mode, revocableSessions: true } })
  await browser.signInWith(its.op, { as: "ada" })
  const token = sessionCookie(browser)
  await browser.signOut()
  const thief = browser.fresh()
  putCookie(thief, version4Name, token)
  expect(await thief.session()).toBeNull()
})

attack("V4-07", "a cookie whose name only begins like that of version 4 isn't read", async (mode) => {
  const its = world()
  const token = await tokenOf(its)
  const half = Math.ceil(token.length / 2)
  const sets: Record<string, string>[] = [
    { [`${version4Name}x`]: token },
    { [`${version4Name}-2`]: token },
    { [`${version4Name}.x`]: token },
    { [`${version4Name}.`]: token },
    { [`${version4Name}.1`]: token },
    { [`${version4Name}.00`]: token },
    { [`x${version4Name}`]: token },
    { "next-auth.session-token": token },
    { [`${version4Name}.0`]: token.slice(0, half), [`${version4Name}.2`]: token.slice(half) },
    { [`${version4Name}.0`]: token.slice(0, half), [`${version4Name}.1x`]: token.slice(half) },
  ]
  for (const cookies of sets) {
    const browser = await acceptingApp(mode, its)
    for (const [name, value] of Object.entries(cookies)) putCookie(browser, name, value)
    expect(await browser.session(), Object.keys(cookies).join()).toBeNull()
  }
  const browser = await acceptingApp(mode, its)
  putCookie(browser, `${version4Name}.0`, token.slice(0, half))
  putCookie(browser, `${version4Name}.1`, token.slice(half))
  expect(await whoIs(browser)).toBe("ada@example.test")
})

attack("V4-07", "thousands of parts are refused, and aren't a session", async (mode) => {
  const its = world()
  const browser = await acceptingApp(mode, its)
  for (let index = 0; index < 3000; index++) putCookie(browser, `${version4Name}.${index}`, "x".repeat(100))
  const response = await browser.fetch("/auth/session")
  expect([response.status, await response.json()]).toEqual([431, null])
})

attack(
  "V4-08",
  "after the end date, sessions of version 4 are ignored, also by a process that runs on",
  async (mode) => {
    const its = { ...world(), clock: frozenClock(Date.UTC(2026, 1, 27)) }
    const session = { version4: { acceptUntil: "2026-03-01" } }
    const browser = await acceptingApp(mode, its, { session })
    const token = await tokenOf(its)
    its.clock.set(Date.UTC(2026, 1, 28, 23, 59))
    putCookie(browser, version4Name, token)
    expect(await whoIs(browser)).toBe("ada@example.test")
    its.clock.set(Date.UTC(2026, 2, 1))
    for (const late of [browser.fresh(), await acceptingApp(mode, its, { session })]) {
      putCookie(late, version4Name, token)
      expect(await late.session()).toBeNull()
    }
    expect(await whoIs(browser)).toBe("ada@example.test")
  },
)

attack(
  "V4-08",
  "after the end date, our own cookie name and the database accept no session of version 4",
  async (mode) => {
    const its = world()
    const { sub: userId } = await ada(its)
    await its.adapter.createSession({ sessionToken: "stored", userId, expires: new Date(times(its).exp * 1000) })
    const name = mode === "strict" ? "__Host-sid" : "sid"
    const renamed = { cookies: { sessionToken: { name } } }
    const situations: readonly (readonly [settings: Settings, name: string, token: string])[] = [
      [renamed, name, await tokenOf(its)],
      [{ session: { strategy: "database" } }, version4Name, "stored"],
    ]
    for (const [settings, cookieName, token] of situations) {
      for (const [acceptUntil, email] of [
        ["2025-12-31", null],
        ["2026-06-01", "ada@example.test"],
      ] as const) {
        const session = { ...settings.session, version4: { acceptUntil } }
        const browser = await acceptingApp(mode, its, { ...settings, session })
        putCookie(browser, cookieName, token)
        expect(await whoIs(browser)).toBe(email)
      }
    }
  },
)

attack("V4-08", "`version4: false` and strict without a date don't accept sessions of version 4", async (mode) => {
  const its = world()
  const token = await tokenOf(its)
  const settings: SessionOptions[] = mode === "strict" ? [{}, { version4: false }] : [{ version4: false }]
  for (const session of settings) {
    const browser = await appOf(its, { security: mode, session: { strategy: "jwt", ...session } })
    putCookie(browser, version4Name, token)
    expect(await browser.session()).toBeNull()
  }
})

attack("V4-09", "a session of version 4 doesn't start its absolute lifetime again", async (mode) => {
  const its = world()
  const browser = await acceptingApp(mode, its, { session: { absoluteMaxAge: 5 * 86_400 } })
  const token = await tokenOf(its)
  putCookie(browser, version4Name, token)
  its.clock.advance({ days: 4 })
  expect(await whoIs(browser)).toBe("ada@example.test")
  its.clock.advance({ days: 1, seconds: 1 })
  expect(await browser.session()).toBeNull()
  const thief = browser.fresh()
  putCookie(thief, version4Name, token)
  expect(await thief.session()).toBeNull()
})

attack("V4-09", "a sign-in at version 4 never counts as a recent one", async (mode) => {
  const its = world()
  const browser = await acceptingApp(mode, its, { security: { mode, linking: "explicit" } })
  const content = { auth_time: Math.floor(its.clock.now() / 1000) }
  putCookie(browser, version4Name, await tokenOf(its, { content }))
  await browser.signInWith(its.other, { as: "grace", fields: { link: "true" } })
  expect(its.adapter.rows().accounts).toEqual([])
})

attack(
  "V4-10",
  "a cookie of version 4 that can't be opened stays, so that a wrong secret signs no user out",
  async (mode) => {
    const its = world()
    const before = await acceptingApp(mode, its, { secret: `${strongSecret}2` })
    putCookie(before, version4Name, await tokenOf(its))
    expect(await before.session()).toBeNull()
    const after = await redeployed(before, its, {
      security: mode,
      session: { strategy: "jwt", version4: { acceptUntil: "2026-06-01" } },
    })
    expect(await whoIs(after)).toBe("ada@example.test")
  },
)

attack(
  "V4-01",
  "what next-auth 4 sealed with the key of sessions for another purpose isn't a session",
  async (mode) => {
    const its = world()
    const values = [
      { value: "s".repeat(43) },
      { state: "s".repeat(43) },
      { code_verifier: "v".repeat(43) },
      { nonce: "n".repeat(43) },
      {},
    ]
    const shared = { cookies: { sessionToken: { name: version4Name } } }
    for (const settings of mode === "strict" ? [{}] : [{}, shared]) {
      for (const value of values) {
        const browser = await acceptingApp(mode, its, settings)
        const token = forgeVersion4({ content: { ...value, ...times(its), jti: "a" } })
        putCookie(browser, version4Name, token)
        const headers = { cookie: `${version4Name}=${token}` }
        expect(await browser.session(), JSON.stringify(value)).toBeNull()
        expect(await getToken({ req: { headers }, secret: strongSecret, secureCookie: true })).toBeNull()
        await browser.get("/auth/account")
        expect(new URL(browser.location).pathname).toBe("/auth/signin")
      }
    }
  },
)
