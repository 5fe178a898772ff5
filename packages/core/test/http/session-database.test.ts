import type { Session } from "@latchkey/core/types"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { app, cookieNames, csrfPair, location, op, origin, sessionCookie, setCookies } from "./app.js"

const token = "0a1b2c3d-0000-4000-8000-000000000001"
const dropped = `${sessionCookie}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`
const cookie = `${sessionCookie}=${token}`

/** A site on which ada has a session that expires in `left` seconds. */
async function site(
  config: Partial<AuthConfig> = {},
  { left = 600, broken = {} }: { left?: number; broken?: Partial<Adapter> } = {},
) {
  const clock = frozenClock()
  const store = memoryAdapter()
  const user = await store.createUser({ id: "u1", name: "ada", email: "ada@app.test", emailVerified: null })
  const expires = new Date(clock.now() + left * 1000)
  await store.createSession({ sessionToken: token, userId: user.id, expires })
  const adapter = { ...store, ...broken }
  const given = {
    providers: [op.provider()],
    adapter,
    session: { maxAge: 600, updateAge: 100 },
    runtime: clock.runtime,
  }
  return { ...app({ ...given, ...config }), store, clock, expires }
}

async function failing(): Promise<never> {
  throw new Error("the database is down")
}

async function update({ send }: Awaited<ReturnType<typeof site>>, data: unknown) {
  const csrf = await csrfPair(send)
  const headers = { "content-type": "application/json", cookie: `${csrf.cookie}; ${cookie}` }
  return send("/auth/session", { method: "POST", headers, body: JSON.stringify({ csrfToken: csrf.token, data }) })
}

describe("reading", () => {
  test("returns the user and the expiry, and writes nothing", async () => {
    const { get, expires } = await site()
    const response = await get("/auth/session", { cookie })
    expect(await response.json()).toEqual({
      user: { name: "ada", email: "ada@app.test" },
      expires: expires.toISOString(),
    })
    expect(cookieNames(response)).toEqual([])
  })

  test("an unknown token is null, and its cookie is cleared", async () => {
    const response = await (await site()).get("/auth/session", { cookie: `${sessionCookie}=unknown` })
    expect([await response.json(), setCookies(response)]).toEqual([null, [dropped]])
  })

  test.each([0, -1])(
    "a session that expires in %i s is null, its row is deleted and its cookie cleared",
    async (left) => {
      const { get, store } = await site({}, { left })
      const response = await get("/auth/session", { cookie })
      expect([await response.json(), setCookies(response), store.rows().sessions]).toEqual([null, [dropped], []])
    },
  )

  test.each([
    [501, false],
    [500, true],
    [1, true],
  ])("with %i of 600 seconds left, it's extended: %s", async (left, due) => {
    const { get, store, clock } = await site({}, { left })
    const response = await get("/auth/session", { cookie })
    const end = new Date(clock.now() + 600_000)
    expect(cookieNames(response)).toEqual(due ? [sessionCookie] : [])
    expect(store.rows().sessions[0]?.expires.getTime()).toBe(clock.now() + (due ? 600_000 : left * 1000))
    if (!due) return
    expect(setCookies(response)).toEqual([
      `${cookie}; Path=/; Expires=${end.toUTCString()}; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect(await response.json()).toMatchObject({ expires: end.toISOString() })
  })

  test.each([600, 86_400])(
    "a session in use doesn't end with an updateAge of %i s and a maxAge of 600 s",
    async (updateAge) => {
      const { get, clock } = await site({ session: { maxAge: 600, updateAge } })
      for (let passed = 0; passed < 1500; passed += 300) {
        clock.advance({ seconds: 300 })
        expect(await (await get("/auth/session", { cookie })).json()).not.toBeNull()
      }
    },
  )

  test("a session that can't be extended is still returned", async () => {
    const { get, log } = await site({}, { left: 1, broken: { updateSession: failing } })
    const response = await get("/auth/session", { cookie })
    expect([await response.json(), cookieNames(response)]).toMatchObject([{ user: { name: "ada" } }, []])
    expect(
      log.entries.some(({ text }) => text.includes("SessionTokenError") && text.includes("database is down")),
    ).toBe(true)
  })

  test("if the database is down, the response is null with status 503, and the cookie stays", async () => {
    const { get, log } = await site({}, { broken: { getSessionAndUser: failing } })
    const response = await get("/auth/session", { cookie })
    expect([response.status, await response.json(), cookieNames(response)]).toEqual([503, null, []])
    expect(log.entries.some(({ text }) => text.includes("SessionTokenError"))).toBe(true)
  })

  test("an update while the database is down has status 503, which no client takes for signed out", async () => {
    const response = await update(await site({}, { broken: { getSessionAndUser: failing } }), { name: "Ada" })
    expect([response.status, await response.json(), cookieNames(response)]).toEqual([503, null, []])
  })

  test("a session callback that throws is logged, the session is null, and the cookie stays", async () => {
    const { get, log } = await site({ callbacks: { session: failing } })
    const response = await get("/auth/session", { cookie })
    expect([await response.json(), cookieNames(response)]).toEqual([null, []])
    expect(log.entries.some(({ text }) => text.includes("SessionTokenError"))).toBe(true)
  })

  test("the session callback gets the row and the user; returning the row doesn't expose its token", async () => {
    const seen: object[] = []
    const session = (params: { session: Session }) => {
      seen.push(params)
      return params.session
    }
    const { get } = await site({ callbacks: { session } })
    const text = await (await get("/auth/session", { cookie })).text()
    expect(text).not.toContain(token)
    expect(Object.keys(seen[0] ?? {}).toSorted()).toEqual(["newSession", "session", "user"])
    expect(seen[0]).toMatchObject({
      session: { userId: "u1", sessionToken: token, user: { id: "u1" } },
      user: { id: "u1" },
    })
  })

  test("a session expires even if its date is text", async () => {
    const getSessionAndUser = async () => ({
      session: { sessionToken: token, userId: "u1", expires: "2020-01-01T00:00:00Z" as unknown as Date },
      user: { id: "u1", email: "a@b.c", emailVerified: null },
    })
    const { get } = await site({}, { broken: { getSessionAndUser } })
    expect(await (await get("/auth/session", { cookie })).json()).toBeNull()
  })
})

describe("updating", () => {
  test("passes the data to the session callback with the trigger", async () => {
    const seen: object[] = []
    const session = (params: { session: Session }) => {
      seen.push(params)
      return { ...params.session, user: {}, expires: "" }
    }
    const response = await update(await site({ callbacks: { session } }), { theme: "dark" })
    expect(response.status).toBe(200)
    expect(seen).toMatchObject([{ trigger: "update", newSession: { theme: "dark" } }])
  })
})

describe("signing out", () => {
  test("deletes the row, fires the event and clears the cookie", async () => {
    const seen: unknown[] = []
    const signOut = (message: unknown) => void seen.push(message)
    const { post, store } = await site({ events: { signOut } })
    const response = await post("/auth/signout", {}, { cookie })
    expect([location(response), setCookies(response), store.rows().sessions]).toEqual([origin, [dropped], []])
    expect(seen).toMatchObject([{ session: { userId: "u1", sessionToken: token } }])
  })

  test.each([
    ["deleteSession", `${origin}/auth/error?error=Configuration&code=SignOutError`],
    ["getSessionAndUser", origin],
  ] as const)(
    "clears the cookie even if %s fails, and reports a session that stays in the database",
    async (method, told) => {
      const { post, log } = await site({}, { broken: { [method]: failing } })
      const response = await post("/auth/signout", {}, { cookie })
      expect([location(response), setCookies(response)]).toEqual([told, [dropped]])
      expect(log.entries.some(({ level, text }) => level === "error" && text.includes("database is down"))).toBe(true)
    },
  )

  test("without a session redirects and clears nothing", async () => {
    const response = await (await site()).post("/auth/signout")
    expect([location(response), cookieNames(response)]).toEqual([origin, []])
  })
})
