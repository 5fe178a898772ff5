import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { captureLog, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import type { LiveSession, Identity } from "../model/session-strategy.js"
import type { AuthConfig, JWTOptions } from "../model/config.js"
import type { JWT } from "../model/session.js"

const day = 86_400
const account = { provider: "op", providerAccountId: "1", type: "oauth" } as const
const user = { id: "u1", name: "ada", email: "ada@app.test" }
const identity: Identity = { user, account, profile: undefined, isNewUser: undefined }

async function site(config: Partial<AuthConfig> = {}) {
  const clock = frozenClock()
  const adapter = memoryAdapter()
  await adapter.createUser({ ...user, emailVerified: null })
  const log = captureLog()
  const { https } = compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: "https://app.test",
    providers: [],
    adapter,
    logger: log.logger,
    runtime: clock.runtime,
    ...config,
    session: { strategy: "jwt", ...config.session },
  })
  const { sessions, sealer, cookies } = https
  const name = cookies.sessionToken.name
  const sealed = async (claims: JWT, salt = name) => sealer.seal(salt, claims, 30 * day)
  const read = async (token: string): Promise<LiveSession> => {
    const live = await sessions.read(token)
    if (live === null) throw new Error("there is no session")
    return live
  }
  const start = async (who: Identity = identity) => read((await sessions.start(who))?.token ?? "")
  return { clock, adapter, log, sessions, name, sealed, read, start }
}

/** A session whose token is its claims as JSON. */
const own: JWTOptions = {
  encode: ({ token }) => JSON.stringify(token),
  decode: ({ token }) => JSON.parse(token ?? "null") as JWT | null,
}

const revocable = { security: { revocableSessions: true } } as const

describe("the jwt callback at a sign-in", () => {
  test.each([
    [true, "signUp"],
    [false, "signIn"],
    [undefined, "signIn"],
  ])("is told whether the user is new (%s: %s), and the profile if there is one", async (isNewUser, trigger) => {
    const seen: object[] = []
    const jwt = (params: { token: JWT }) => (seen.push(params), params.token)
    const { sessions } = await site({ callbacks: { jwt } })
    await sessions.start({ ...identity, isNewUser })
    await sessions.start({ ...identity, isNewUser, profile: { sub: "1" } })
    const known = {
      token: { name: "ada", email: "ada@app.test", sub: "u1" },
      user,
      account,
      trigger,
      ...(isNewUser !== undefined && { isNewUser }),
    }
    expect(seen).toStrictEqual([known, { ...known, profile: { sub: "1" } }])
  })

  test("that returns null starts no session and stores none", async () => {
    const { sessions, adapter } = await site({ ...revocable, callbacks: { jwt: () => null } })
    expect(await sessions.start(identity)).toBeNull()
    expect(adapter.rows().sessions).toEqual([])
  })

  test.each([
    ["nothing", undefined],
    ["a text", "x"],
    ["a list", [{ sub: "u1" }]],
  ])("that returns %s is told so", async (_, returned) => {
    const { sessions } = await site({ callbacks: { jwt: () => returned as unknown as JWT } })
    await expect(sessions.start(identity)).rejects.toThrow(/jwt callback returned no claims/)
  })
})

describe("renewing", () => {
  test("a callback that changes nothing keeps a fresh session unchanged", async () => {
    const { sessions, start } = await site({ callbacks: { jwt: ({ token }) => ({ ...token }) } })
    const live = await start()
    expect(await sessions.renew(live)).toStrictEqual({ kind: "keep", live })
  })

  test("an update encrypts a new token even without a change, and passes on the claims", async () => {
    const seen: unknown[] = []
    const jwt = ({ token, trigger }: { token: JWT; trigger?: string | undefined }) => (
      seen.push([trigger, token.sub]), token
    )
    const { sessions, start } = await site({ callbacks: { jwt } })
    const live = await start()
    expect(await sessions.renew(live, { data: undefined, sender: "browser" })).toMatchObject({ kind: "issue" })
    expect(seen).toEqual([
      ["signIn", "u1"],
      ["update", "u1"],
    ])
  })

  test("a session that was ended after the read is not renewed", async () => {
    const { sessions, start, adapter, clock } = await site(revocable)
    const live = await start()
    await adapter.deleteSessions("u1")
    clock.advance({ days: 2 })
    expect(await sessions.renew(live)).toStrictEqual({ kind: "end" })
  })

  test("an error of the database while it extends the session is logged, and the session continues", async () => {
    const store = memoryAdapter()
    await store.createUser({ ...user, emailVerified: null })
    const adapter = { ...store, updateSession: () => Promise.reject(new Error("the store is away")) }
    const { sessions, start, log, clock } = await site({ ...revocable, adapter })
    const live = await start()
    clock.advance({ days: 2 })
    const renewed = await sessions.renew(live)
    expect(renewed).toMatchObject({ kind: "issue", live: { content: { claims: { sid: expect.any(String) } } } })
    expect(log.entries).toMatchObject([{ message: "Could not extend the session in the database" }])
    expect(log.entries[0]?.text).toContain("the store is away")
  })

  test("a session from before they were revocable is none without a user id, because it couldn't have a row", async () => {
    const { sessions, sealed, adapter } = await site(revocable)
    expect(await sessions.read(await sealed({ name: "guest" }))).toBeNull()
    expect(adapter.rows()).toMatchObject({ sessions: [], verificationTokens: [] })
  })
})

describe("reading", () => {
  test("a token encrypted for a former cookie name is outdated", async () => {
    const { sealed, read, name } = await site({ security: { sessionCookiePrefix: "__Host-" } })
    expect(name).toMatch(/^__Host-/)
    expect((await read(await sealed({ sub: "u1" }, name.replace("__Host-", "__Secure-")))).outdated).toBe(true)
    expect((await read(await sealed({ sub: "u1" }))).outdated).toBe(false)
  })

  test("a `sid` in another format is treated as a claim of the application", async () => {
    const { sealed, read, sessions, adapter } = await site(revocable)
    const live = await read(await sealed({ sub: "u1", sid: 7 }))
    expect(live.outdated).toBe(true)
    await sessions.renew(live)
    expect(adapter.rows().sessions).toHaveLength(1)
  })

  test("returns only the user fields that are in the claims", async () => {
    const { sealed, read, sessions } = await site()
    const { user: shown } = await sessions.present(await read(await sealed({ sub: "u1", name: "ada" })))
    expect(shown).toStrictEqual({ name: "ada" })
  })

  test("a session ends at the earlier of its idle and its absolute limit", async () => {
    const { start, clock, sessions } = await site({ session: { absoluteMaxAge: 3600 } })
    const live = await start()
    const signedInAt = Math.floor(clock.now() / 1000) * 1000
    expect([live.expires, live.authenticatedAt]).toEqual([signedInAt + 3_600_000, signedInAt])
    expect((await sessions.start(identity))?.expires.getTime()).toBe(signedInAt + 3_600_000)
    clock.set(signedInAt + 3_599_999)
    expect(await sessions.read(live.token)).not.toBeNull()
    clock.advance(1)
    expect(await sessions.read(live.token)).toBeNull()
  })

  test("an `auth_time` that isn't a number is ignored and sets no limit", async () => {
    const { sealed, read } = await site({ session: { absoluteMaxAge: 3600 } })
    for (const claims of [{ sub: "u1" }, { sub: "u1", auth_time: "0" }])
      expect((await read(await sealed(claims))).authenticatedAt).toBeUndefined()
  })
})

describe("a token of a configured `encode`", () => {
  test("without times ends after `maxAge` from now, and is written at once", async () => {
    const { sessions, read, clock } = await site({ jwt: own, session: { maxAge: 600 } })
    const live = await read('{"sub":"u1"}')
    expect([live.expires, live.outdated]).toEqual([Math.floor(clock.now() / 1000) * 1000 + 600_000, false])
    expect(await sessions.renew(live)).toMatchObject({ kind: "issue" })
  })

  test("with the time of issue is kept until it's due", async () => {
    const { sessions, read, clock } = await site({ jwt: own })
    const live = await read(JSON.stringify({ sub: "u1", iat: Math.floor(clock.now() / 1000) }))
    expect(await sessions.renew(live)).toStrictEqual({ kind: "keep", live })
  })

  test.each([null, undefined])("that `decode` turns into %s is no session", async (nothing) => {
    const { sessions } = await site({ jwt: { ...own, decode: () => nothing as null } })
    expect(await sessions.read("token")).toBeNull()
  })
})

describe("ending", () => {
  test("returns the claims and deletes the session from the database", async () => {
    const { sessions, start, adapter } = await site(revocable)
    const live = await start()
    expect(adapter.rows().sessions).toHaveLength(1)
    expect(await sessions.end(live)).toMatchObject({ token: { sub: "u1" } })
    expect(adapter.rows().sessions).toEqual([])
  })

  test("of a session from before they were revocable ends every copy", async () => {
    const { sessions, sealed, read, adapter } = await site(revocable)
    const token = await sealed({ sub: "u1" })
    expect(await sessions.end(await read(token))).toMatchObject({ token: { sub: "u1" } })
    expect(await sessions.read(token)).toBeNull()
    const other = await sealed({ sub: "u1" })
    await sessions.revoke(other)
    expect(await sessions.read(other)).toBeNull()
    expect(adapter.rows().sessions).toEqual([])
  })

  test("of a session with a `sid` works without revocable sessions", async () => {
    const { sessions, sealed, read } = await site()
    const token = await sealed({ sub: "u1", sid: "known once" })
    expect(await sessions.end(await read(token))).toMatchObject({ token: { sub: "u1" } })
    await expect(sessions.revoke(token)).resolves.toBeUndefined()
  })

  test("by token deletes the session from the database; an invalid token ends nothing", async () => {
    const { sessions, start, adapter } = await site(revocable)
    const { token } = await start()
    await sessions.revoke("no token")
    expect(adapter.rows().sessions).toHaveLength(1)
    await sessions.revoke(token)
    expect(adapter.rows().sessions).toEqual([])
  })
})

test("a database session is an error", async () => {
  const { sessions, start } = await site()
  const session = { sessionToken: "token", userId: "u1", expires: new Date(0) }
  const content = { kind: "stored", session, user: { ...user, emailVerified: null } } as const
  const stray: LiveSession = { ...(await start()), content }
  expect(() => sessions.present(stray)).toThrow("A database session reached the jwt strategy")
})
