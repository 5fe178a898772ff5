import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { captureLog, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import { AdapterError } from "../errors.js"
import type { AuthConfig } from "../model/config.js"
import type { SessionRequest } from "../model/http.js"
import { currentSession, liveSession } from "./current.js"
import { endSession } from "../endpoints/signout.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const strategies = ["jwt", "database"] as const
const user = { id: "u1", name: "ada", email: "ada@app.test", emailVerified: null }
const failing = async () => Promise.reject(new Error("the store is away"))

function site(config: Partial<AuthConfig> = {}) {
  const log = captureLog()
  const { runtime } = frozenClock()
  const auth = compile({ secret, url: "https://app.test", providers: [], logger: log.logger, runtime, ...config })
  const scheme = auth.https
  const { name } = scheme.cookies.sessionToken
  const visit = (token?: string): SessionRequest => ({
    scheme,
    cookies: new Map(token === undefined ? [] : [[name, token]]),
    headers: new Headers(),
    origin: "https://app.test",
  })
  const sealed = async () => scheme.sealer.seal(name, { sub: "u1", name: "ada" }, 600)
  return { auth, log, visit, sealed }
}

async function storedSite(config: Partial<AuthConfig> = {}, broken: object = {}) {
  const store = memoryAdapter()
  await store.createUser(user)
  await store.createSession({ sessionToken: "token", userId: "u1", expires: new Date("2090-01-01") })
  return { ...site({ adapter: { ...store, ...broken }, ...config }), store }
}

describe.each(strategies)("a visitor without a cookie (%s)", (strategy) => {
  test.each(["compatible", "strict"] as const)("has no session, and nothing is logged (%s)", async (security) => {
    const { auth, log, visit } = site({ adapter: memoryAdapter(), session: { strategy }, security })
    expect(await currentSession(auth, visit())).toStrictEqual({ session: null, cookies: [] })
    expect(await liveSession(auth, visit())).toBeNull()
    expect(await endSession(auth, visit())).toBeUndefined()
    expect(log.entries.filter(({ message }) => message.startsWith("session") || message.startsWith("The"))).toEqual([])
  })
})

test("a refused token causes a debug message", async () => {
  const { auth, log, visit } = site({ debug: true })
  expect((await currentSession(auth, visit("x"))).session).toBeNull()
  expect(log.entries).toContainEqual(
    expect.objectContaining({
      level: "debug",
      message: "session.refused",
      detail: { reason: "unknown, expired or revoked" },
    }),
  )
})

describe("the session event", () => {
  const heard = () => {
    const messages: object[] = []
    return { messages, events: { session: (message: object) => void messages.push(message) } }
  }

  test("gets the claims of a JWT session, and only the session of a database session", async () => {
    const sealed = heard()
    const jwt = site({ events: sealed.events })
    await currentSession(jwt.auth, jwt.visit(await jwt.sealed()))
    expect(sealed.messages).toMatchObject([{ session: { user: { name: "ada" } }, token: { sub: "u1" } }])
    const stored = heard()
    const { auth, visit } = await storedSite({ events: stored.events })
    const { session } = await currentSession(auth, visit("token"))
    expect(session).toMatchObject({ user: { name: "ada" } })
    expect(stored.messages).toStrictEqual([{ session }])
  })

  test("is awaited", async () => {
    let done = false
    const session = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      done = true
    }
    const { auth, visit, sealed } = site({ events: { session } })
    await currentSession(auth, visit(await sealed()))
    expect(done).toBe(true)
  })
})

describe("a session that cannot be read", () => {
  const decode = () => {
    throw new Error("no such format")
  }

  test("is an error, and its cookie is kept", async () => {
    const { auth, visit, log } = site({ jwt: { decode } })
    const { error, ...view } = await currentSession(auth, visit("x"))
    expect(view).toStrictEqual({ session: null, cookies: [] })
    expect(error?.message).toContain("Could not read the session; the cookie is kept for the next request")
    expect(log.entries.map(({ detail }) => detail)).toEqual([error])
  })

  test("counts as no session during a sign-in, and is logged", async () => {
    const { auth, visit, log } = site({ jwt: { decode } })
    expect(await liveSession(auth, visit("x"))).toBeNull()
    expect(log.entries.map(({ message }) => message)).toEqual(["Could not read the session"])
    expect(log.entries[0]?.text).toContain("no such format")
  })

  test("because the database is unavailable makes a sign-in fail", async () => {
    const { auth, visit } = await storedSite({}, { getSessionAndUser: failing })
    await expect(liveSession(auth, visit("token"))).rejects.toThrow(AdapterError)
  })

  test("is ended without being read, which is logged", async () => {
    const { auth, visit, log, store } = await storedSite({}, { getSessionAndUser: failing })
    expect(await endSession(auth, visit("token"))).toBeUndefined()
    expect(store.rows().sessions).toEqual([])
    expect(log.entries.map(({ message }) => message)).toContain("Could not read the session; it ends unread")
  })
})

describe("modules", () => {
  const expires = "2090-01-01T00:00:00.000Z"
  const robot = { user: { name: "robot" }, expires }

  test("identify a visitor without a cookie, in order; if none does, there is no session", async () => {
    const asked: unknown[] = []
    const { auth, visit } = site({
      modules: [
        { id: "silent" },
        { id: "unsure", identify: ({ origin, headers }) => (asked.push(origin, headers instanceof Headers), null) },
        { id: "sure", identify: ({ headers }) => (headers.get("x-key") === "k" ? robot : null) },
      ],
    })
    expect(await currentSession(auth, visit())).toStrictEqual({ session: null, cookies: [] })
    const known = { ...visit(), headers: new Headers({ "x-key": "k" }) }
    expect(await currentSession(auth, known)).toStrictEqual({ session: robot, cookies: [] })
    expect(asked).toEqual(["https://app.test", true, "https://app.test", true])
  })

  test("that throw in `identify` cause an error and no session", async () => {
    const { auth, visit, log } = site({
      modules: [
        { id: "broken", identify: failing },
        { id: "sure", identify: () => robot },
      ],
    })
    const { error, ...view } = await currentSession(auth, visit())
    expect(view).toStrictEqual({ session: null, cookies: [] })
    expect(error?.message).toContain("The module broken could not identify the visitor")
    expect(log.entries.map(({ detail }) => detail)).toEqual([error])
    expect(log.entries[0]?.text).toContain("the store is away")
  })

  test("that return `undefined` from `identify` let the next module try", async () => {
    const nothing = () => undefined as unknown as null
    const { auth, visit } = site({
      modules: [
        { id: "m", identify: nothing },
        { id: "sure", identify: () => robot },
      ],
    })
    expect((await currentSession(auth, visit())).session).toEqual(robot)
  })

  test("add to a session, each to what the one before it made", async () => {
    const add = (id: string) => ({
      id,
      session: ({ session, headers }: { session: object; headers: Headers }) => ({
        ...session,
        expires: `${"expires" in session && id === "b" ? String(session.expires) : ""}${id}${headers.has("x") ? "" : "!"}`,
      }),
    })
    const { auth, visit, sealed } = site({ modules: [add("a"), { id: "silent" }, add("b")] })
    const { session } = await currentSession(auth, visit(await sealed()))
    expect(session).toMatchObject({ user: { name: "ada" }, expires: "a!b!" })
  })
})
