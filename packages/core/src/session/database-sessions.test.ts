import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { captureLog, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import type { Adapter } from "../model/adapter.js"
import type { LiveSession, Identity } from "../model/session-strategy.js"
import type { AuthConfig } from "../model/config.js"
import { storedToken } from "./revocation.js"

const account = { provider: "op", providerAccountId: "1", type: "oauth" } as const
const user = { id: "u1", name: "ada", email: "ada@app.test", emailVerified: null }
const identity: Identity = { user, account, profile: undefined, isNewUser: undefined }
const hashed = { security: { hashSessionTokens: true } } as const

function site(config: Partial<AuthConfig> = {}, { broken = {}, store = memoryAdapter(), clock = frozenClock() } = {}) {
  const log = captureLog()
  const adapter: Adapter = { ...store, ...broken }
  const { https } = compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: "https://app.test",
    providers: [],
    adapter,
    logger: log.logger,
    runtime: clock.runtime,
    ...config,
    session: { strategy: "database", maxAge: 600, updateAge: 100, ...config.session },
  })
  const { sessions } = https
  const read = async (token: string): Promise<LiveSession> => {
    const live = await sessions.read(token)
    if (live === null) throw new Error("there is no session")
    return live
  }
  const start = async () => {
    if (store.rows().users.length === 0) await store.createUser(user)
    return read((await sessions.start(identity))?.token ?? "")
  }
  return { clock, store, log, sessions, read, start }
}

/** A session of one site, read by another that hashes tokens. */
async function fromBefore(broken: Partial<Adapter> = {}) {
  const { store, clock, start } = site()
  const { token } = await start()
  const after = site(hashed, { broken, store, clock })
  return { ...after, token, live: await after.read(token) }
}

const failing = async () => Promise.reject(new Error("the store is away"))

describe("renewing", () => {
  test("keeps a session that is not due, and one at its absolute end", async () => {
    const { sessions, start } = site()
    const fresh = await start()
    expect(await sessions.renew(fresh)).toStrictEqual({ kind: "keep", live: fresh })
    const bounded = site({ session: { absoluteMaxAge: 600 } })
    const { token } = await bounded.start()
    bounded.clock.advance({ seconds: 200 })
    const live = await bounded.read(token)
    expect(await bounded.sessions.renew(live)).toStrictEqual({ kind: "keep", live })
  })

  test("keeps a session that the database can't extend, and logs an error", async () => {
    const { sessions, start, clock, log } = site({}, { broken: { updateSession: failing } })
    const live = await start()
    clock.advance({ seconds: 100 })
    expect(await sessions.renew(live)).toStrictEqual({ kind: "keep", live })
    expect(log.entries.map(({ message }) => message)).toEqual(["Could not extend the session; it stays as it was"])
  })

  test("calls the `session` callback with the row and its new expiry", async () => {
    const callbacks = { session: ({ session }: { session: object }) => ({ ...session, expires: "" }) }
    const seen: unknown[] = []
    const { sessions, start, clock } = site({
      callbacks: { session: (params) => (seen.push(params.session), callbacks.session(params)) },
    })
    const live = await start()
    clock.advance({ seconds: 100 })
    const renewed = await sessions.renew(live)
    if (renewed.kind !== "issue") throw new Error("it was due")
    await sessions.present(renewed.live)
    expect(seen).toMatchObject([
      { sessionToken: live.token, userId: "u1", expires: new Date(clock.now() + 600_000), user: { id: "u1" } },
    ])
  })

  test("reads the row again if `updateSession` returns null; a missing row means that the session has ended", async () => {
    const store = memoryAdapter()
    const updateSession = async (row: Parameters<typeof store.updateSession>[0]) => {
      await store.updateSession(row)
      return null
    }
    const { sessions, start, clock } = site({}, { store, broken: { updateSession } })
    const live = await start()
    clock.advance({ seconds: 100 })
    expect(await sessions.renew(live)).toMatchObject({ kind: "issue", issued: { token: live.token } })
    await store.deleteSessions("u1")
    expect(await sessions.renew(live)).toStrictEqual({ kind: "end" })
  })

  test("does not read the row again if `updateSession` returns it", async () => {
    const store = memoryAdapter()
    let reads = 0
    const getSessionAndUser = (token: string) => (reads++, store.getSessionAndUser(token))
    const { sessions, start, clock } = site({}, { store, broken: { getSessionAndUser } })
    const live = await start()
    clock.advance({ seconds: 100 })
    reads = 0
    expect(await sessions.renew(live)).toMatchObject({ kind: "issue" })
    expect(reads).toBe(0)
  })
})

describe("replacing a token from before hashing", () => {
  test("does not happen in its last seconds, because a parallel request may still send it", async () => {
    const { sessions, clock, read, token, store } = await fromBefore()
    clock.advance({ seconds: 570 })
    const live = await read(token)
    expect(await sessions.renew(live)).toStrictEqual({ kind: "keep", live })
    expect(store.rows().sessions).toHaveLength(1)
  })

  test("creates no session if the old one was ended after the read", async () => {
    const { sessions, live, store } = await fromBefore()
    await store.deleteSessions("u1")
    expect(await sessions.renew(live)).toStrictEqual({ kind: "end" })
    expect(store.rows().sessions).toEqual([])
  })

  test("ends the old session at once if its row can't be shortened, and logs an error", async () => {
    const { sessions, live, store, log } = await fromBefore({ updateSession: failing })
    const renewed = await sessions.renew(live)
    if (renewed.kind !== "issue") throw new Error("it was to be replaced")
    const sessionToken = await storedToken(renewed.issued.token)
    expect(store.rows().sessions.map((row) => row.sessionToken)).toEqual([sessionToken])
    const [entry, ...others] = log.entries
    expect(entry?.message).toBe("Could not shorten the replaced session; it ends at once")
    expect([entry?.text, others]).toEqual([expect.stringContaining("the store is away"), []])
  })
})

describe("an absolute limit", () => {
  const bounded = { session: { absoluteMaxAge: 600 } }

  test("that was lowered after the sign-in ends the session on time and deletes its row", async () => {
    const { store, clock, start } = site({ session: { absoluteMaxAge: 6000, maxAge: 6000 } })
    const { token, authenticatedAt = 0 } = await start()
    const after = site(bounded, { store, clock })
    clock.set(authenticatedAt + 599_999)
    expect(await after.sessions.read(token)).not.toBeNull()
    clock.advance(1)
    expect(await after.sessions.read(token)).toBeNull()
    expect(store.rows().sessions).toEqual([])
  })

  test("counts from the time at the end of the token, whatever the token starts with", async () => {
    const { start, clock } = site({ session: { absoluteMaxAge: 600, generateSessionToken: () => "a.zzzzzz.b" } })
    expect((await start()).authenticatedAt).toBe(Math.floor(clock.now() / 1000) * 1000)
  })

  test("that is not set reads no time from a token of `generateSessionToken`", async () => {
    const { start } = site({ session: { generateSessionToken: () => "a.zzzzzz" } })
    expect((await start()).authenticatedAt).toBeUndefined()
  })

  test("that was set after the sign-in keeps a token without a time, and marks it as outdated", async () => {
    const { store, clock, start } = site()
    const { token } = await start()
    expect(await site(bounded, { store, clock }).read(token)).toMatchObject({
      authenticatedAt: undefined,
      outdated: true,
    })
  })
})

describe("ending", () => {
  test("returns the row that the adapter deleted, or else the row that was read", async () => {
    for (const broken of [{}, { deleteSession: async () => undefined }]) {
      const { sessions, start } = site({}, { broken })
      const { token, ...live } = await start()
      expect(await sessions.end({ token, ...live })).toMatchObject({ session: { sessionToken: token, userId: "u1" } })
    }
    const deleted = { sessionToken: "as deleted", userId: "u1", expires: new Date(0) }
    const { sessions, start } = site({}, { broken: { deleteSession: async () => deleted } })
    expect(await sessions.end(await start())).toEqual({ session: deleted })
  })

  test.each([
    ["plain", {}, "token", ["token"]],
    ["hashed", hashed, "token", [expect.stringMatching(/^sha256:/), "token"]],
    ["hashed, and isn't stored", hashed, "other", [expect.stringMatching(/^sha256:/)]],
    ["hashed, and is given a hash", hashed, "sha256:stolen", []],
  ])("by token deletes every form in which the token may be stored (%s)", async (_, config, token, expected) => {
    const deleted: string[] = []
    const deleteSession = async (row: string) => void deleted.push(row)
    const { sessions, store } = site(config, { broken: { deleteSession } })
    await store.createUser(user)
    await store.createSession({ sessionToken: "token", userId: user.id, expires: new Date(0) })
    await sessions.revoke(token)
    expect(deleted).toEqual(expected)
  })
})

test("a row without a valid date is an ended session", async () => {
  const session = { sessionToken: "token", userId: "u1", expires: "soon" as unknown as Date }
  const { sessions } = site({}, { broken: { getSessionAndUser: async () => ({ session, user }) } })
  expect(await sessions.read("token")).toBeNull()
})

test("returns only the user fields that are stored", async () => {
  const { sessions, start, store } = site()
  const live = await start()
  const content = { kind: "stored", session: store.rows().sessions[0], user: { id: "u1", email: "a@b.c" } }
  const shown = async (more: object) =>
    (await sessions.present({ ...live, content: { ...content, user: { ...content.user, ...more } } } as LiveSession))
      .user
  expect(await shown({})).toStrictEqual({ email: "a@b.c" })
  expect(await shown({ name: null, image: null })).toStrictEqual({ email: "a@b.c", name: null, image: null })
  expect(await shown({ name: "ada", image: "/a.png" })).toStrictEqual({ email: "a@b.c", name: "ada", image: "/a.png" })
})

test("a JWT session is an error", async () => {
  const { sessions, start } = site()
  const stray: LiveSession = { ...(await start()), content: { kind: "sealed", claims: {}, text: "{}" } }
  expect(() => sessions.present(stray)).toThrow("A JWT session reached the database strategy")
})
