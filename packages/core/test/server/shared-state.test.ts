import { Auth, raw } from "@latchkey/core"
import { decode } from "@latchkey/core/jwt"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, type Visitor } from "@latchkey/core/server"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { captureLog, createProvider, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { csrfPair, sessionOf, sessionCookie } from "../http/app.js"

let secrets = 0
/** Another site for each test. */
const newSecret = () => `k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGpR5aJ0eKd${String(++secrets).padStart(2, "0")}`

/** Sends each request to a configuration that is made for it. */
function perRequest(make: (request: Request) => AuthConfig) {
  return async (path: string, init?: RequestInit) => {
    const request = new Request(`https://app.test${path}`, init)
    return Auth(request, make(request))
  }
}

/** The statuses of this many sign-ins with a wrong password. */
async function guess(send: ReturnType<typeof perRequest>, times: number): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count++) {
    const { token, cookie } = await csrfPair(send)
    const body = new URLSearchParams({ csrfToken: token, name: "ada", password: "wrong" })
    const headers = { cookie, "x-auth-return-redirect": "1", "x-forwarded-for": "203.0.113.9" }
    statuses.push((await send("/auth/callback/credentials", { method: "POST", body, headers })).status)
  }
  return statuses
}

const password = () => credentials({ credentials: { name: {}, password: {} }, authorize: () => null })

describe("a configuration that is made for each request", () => {
  test("doesn't reset the rate limits", async () => {
    const secret = newSecret()
    const log = captureLog()
    const send = perRequest((request) => ({
      secret,
      trustHost: true,
      logger: log.logger,
      providers: [password()],
      callbacks: { redirect: ({ baseUrl }) => `${baseUrl}/?${request.method}` },
    }))
    expect((await guess(send, 12)).filter((status) => status === 429)).toHaveLength(2)
  })

  test("doesn't reset the rate limits of a server", async () => {
    const secret = newSecret()
    const { logger } = captureLog()
    const server = createServer(() => ({ secret, trustHost: true, logger, providers: [password()] }))
    const send = async (path: string, init?: RequestInit) => server.handle(new Request(`https://app.test${path}`, init))
    expect((await guess(send, 12)).filter((status) => status === 429)).toHaveLength(2)
  })

  test("logs each warning once", async () => {
    const log = captureLog()
    const secret = `short${newSecret().slice(-4)}`
    const send = perRequest((request) => ({
      secret,
      trustHost: true,
      logger: log.logger,
      providers: [createProvider().provider({ checks: ["none"] })],
      theme: { logo: "logo.png" },
      callbacks: { session: ({ session }) => ({ ...session, method: request.method }) },
    }))
    for (let count = 0; count < 20; count++) await send("/auth/session")
    expect(log.entries.map(({ message }) => message)).toEqual(["weak-secret", "invalid-option", "checks-disabled"])
  })

  test("calls its callbacks, and none of an earlier request", async () => {
    const secret = newSecret()
    const cookie = `${sessionCookie}=${await sessionOf({}, undefined)}`
    const send = perRequest((request) => ({
      secret: [secret, "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGpR5aJ0eKdV7"],
      trustHost: true,
      providers: [],
      callbacks: { session: () => ({ expires: "", path: new URL(request.url).search }) },
    }))
    for (const search of ["?1", "?2", "?1", "?3"]) {
      const response = await send(`/auth/session${search}`, { headers: { cookie } })
      expect(await response.json()).toEqual({ expires: "", path: search })
    }
  })

  test("continues with rotated claims that didn't reach the browser", async () => {
    const secret = newSecret()
    const uses: unknown[] = []
    const server = createServer(() => ({
      secret,
      trustHost: true,
      providers: [],
      callbacks: {
        jwt({ token }: { token: JWT }) {
          uses.push(token["refresh"])
          return { ...token, refresh: Number(token["refresh"] ?? 0) + 1 }
        },
      },
    }))
    const { encode } = await import("@latchkey/core/jwt")
    const token = await encode({ token: { sub: "1", refresh: 1 }, secret, salt: sessionCookie })
    const visitor = { headers: new Headers({ cookie: `${sessionCookie}=${token}` }), origin: "https://app.test" }
    await server.session(visitor, { readOnly: true })
    const { cookies } = await server.session(visitor)
    expect(uses).toEqual([1, 2])
    expect(await decode({ token: cookies[0]?.value ?? "", secret, salt: sessionCookie })).toMatchObject({ refresh: 3 })
  })

  test("loads the metadata of a provider once", async () => {
    const secret = newSecret()
    const op = createProvider()
    const given = op.provider()
    const send = perRequest((request) => ({
      secret,
      trustHost: true,
      providers: [{ ...given }],
      callbacks: { redirect: ({ baseUrl }) => `${baseUrl}/?${request.method}` },
    }))
    for (let count = 0; count < 3; count++) {
      const { token, cookie } = await csrfPair(send)
      const body = new URLSearchParams({ csrfToken: token })
      const { status } = await send(`/auth/signin/${op.id}`, { method: "POST", body, headers: { cookie } })
      expect(status).toBe(302)
    }
    expect(op.requestsTo("discovery")).toHaveLength(1)
  })

  test("is compiled once if it's equal", async () => {
    const secret = newSecret()
    let calls = 0
    const factory = () => {
      calls++
      return createProvider().provider()
    }
    const send = perRequest(() => ({ secret, trustHost: true, providers: [factory], session: { maxAge: 600 } }))
    for (let count = 0; count < 10; count++) expect((await send("/auth/providers")).status).toBe(200)
    expect(calls).toBe(1)
  })
})

describe("two applications in a process", () => {
  const refused = (statuses: readonly number[]) => statuses.filter((status) => status === 429).length
  const app = (config: Partial<AuthConfig>) => {
    const { logger } = captureLog()
    const made: AuthConfig = { trustHost: true, logger, providers: [password()], ...config }
    return perRequest(() => made)
  }

  test("that share a secret are one site, whatever their mode", async () => {
    const [older, newer] = [newSecret(), newSecret()]
    expect(refused(await guess(app({ secret: older }), 12))).toBe(2)
    expect(refused(await guess(app({ secret: [newer, older], security: "strict", trustHost: ["app.test"] }), 12))).toBe(
      12,
    )
    expect(refused(await guess(app({ secret: newer }), 12))).toBe(12)
  })

  test("with different secrets don't refuse each other's attempts", async () => {
    expect(refused(await guess(app({ secret: newSecret() }), 12))).toBe(2)
    expect(refused(await guess(app({ secret: newSecret() }), 12))).toBe(2)
  })
})

describe("what an application adds to a result is in no other result", () => {
  const config: AuthConfig = { secret: newSecret(), url: "https://app.test", providers: [password()] }
  const visitor: Visitor = { headers: new Headers() }
  const server = createServer(config)
  const reader = createSessionReader({ secret: config.secret, url: config.url })

  test.each<[string, () => Promise<object>]>([
    ["of a raw call", () => Auth(new Request("https://app.test/auth/session"), { ...config, raw })],
    ["of a raw page", () => Auth(new Request("https://app.test/auth/error"), { ...config, raw })],
    ["of a session", () => server.session(visitor)],
    ["of a session reader", () => reader.session(visitor)],
    ["of a sign-out", () => server.signOut(visitor, { redirectTo: "/" })],
  ])("%s", async (_, call) => {
    const before = JSON.stringify(await call())
    // Applications in JavaScript don't see `readonly`, and the results of Auth.js can be changed.
    const changed = (await call()) as { cookies: unknown[]; session?: unknown }
    changed.cookies.push({ name: "theme", value: "of another visitor", options: {} })
    changed.session = { user: { name: "another visitor" } }
    expect(JSON.stringify(await call())).toBe(before)
  })
})

describe("a session cookie that can't be read", () => {
  const unreadable = async (cookie: string, times: number, clock = frozenClock()) => {
    const log = captureLog()
    const config: AuthConfig = {
      secret: newSecret(),
      trustHost: true,
      providers: [],
      logger: log.logger,
      runtime: clock.runtime,
    }
    const read = async () => {
      const headers = { cookie: `${sessionCookie}=${cookie}` }
      return (await Auth(new Request("https://app.test/auth/session", { headers }), config)).json()
    }
    for (let count = 0; count < times; count++) expect(await read()).toBeNull()
    return { log, read, clock }
  }
  const errors = ({ entries }: ReturnType<typeof captureLog>) => entries.filter(({ level }) => level === "error")

  test("because it was sealed with another secret is logged as JWTSessionError, once a minute", async () => {
    const { log, read, clock } = await unreadable(await sessionOf({}), 50)
    expect(errors(log)).toMatchObject([{ detail: { type: "JWTSessionError" } }])
    expect(errors(log)[0]?.text).toContain("AUTH_SECRET")
    clock.advance({ seconds: 61 })
    await read()
    expect(errors(log)).toHaveLength(2)
  })

  test("because it's damaged is another cause", async () => {
    const { log, read } = await unreadable("damaged", 50)
    await read()
    expect(errors(log).map(({ text }) => text)).toEqual([expect.stringContaining("damaged")])
  })

  test("because it expired isn't an error", async () => {
    const clock = frozenClock()
    const log = captureLog()
    const secret = newSecret()
    const config: AuthConfig = { secret, trustHost: true, providers: [], logger: log.logger, runtime: clock.runtime }
    const { encode } = await import("@latchkey/core/jwt")
    const token = await encode({ token: { sub: "1" }, secret, salt: sessionCookie, maxAge: 60 })
    clock.set(Date.now() + 3_600_000)
    const headers = { cookie: `${sessionCookie}=${token}` }
    expect(await (await Auth(new Request("https://app.test/auth/session", { headers }), config)).json()).toBeNull()
    expect(errors(log)).toEqual([])
  })
})
