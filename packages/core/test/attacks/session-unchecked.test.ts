import { createServer } from "@latchkey/core/server"
import { createSessionReader, type SessionReaderConfig } from "@latchkey/core/session-reader"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, captureLog } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import {
  configOf,
  cookieNames,
  redeployed,
  sessionCookie,
  strongSecret,
  whoIs,
  type World,
  world,
} from "../modes/setup.js"
import { adaAt, cookieHeader, sessionName, thiefOf } from "./session-setup.js"

const session = { strategy: "jwt" } as const
const revocable = { revocableSessions: true } as const
const email = "ada@example.test"

/** What a server without an adapter reads if the last check is too long ago. */
const stale = { session: null, cookies: [], isStale: true, origin: "https://app.test" }

/** A server that has no adapter, such as middleware on the edge. */
function edge(its: World, rest: SessionReaderConfig = {}) {
  const log = captureLog()
  const reader = createSessionReader({
    secret: strongSecret,
    url: "https://app.test/auth",
    session,
    runtime: its.clock.runtime,
    logger: log.logger,
    ...rest,
  })
  const read = async (browser: Browser) => reader.session({ headers: new Headers({ cookie: cookieHeader(browser) }) })
  return { read, log }
}

function warned({ log }: ReturnType<typeof edge>): readonly string[] {
  return log.entries.map(({ text }) => text).filter((text) => text.includes("revocation-unchecked"))
}

/** The same site in both modes, with revocable sessions. */
function securityOf(mode: Mode): NonNullable<AuthConfig["security"]> {
  return mode === "strict" ? "strict" : revocable
}

attack("JWT-04", "without the adapter a revocable session is never extended, and the log says so", async (mode) => {
  const its = world()
  const { browser } = await adaAt(
    mode,
    { security: securityOf(mode), session: { ...session, revocation: { maxStaleness: 1e7 } } },
    its,
  )
  const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, at: its.clock.now() }) }
  for (const more of [{}, { callbacks }, { security: securityOf(mode) }]) {
    const reading = edge(its, {
      security: mode,
      session: { ...session, updateAge: 0, revocation: { maxStaleness: 1e7 } },
      ...more,
    })
    its.clock.advance({ days: 2 })
    const view = await reading.read(browser)
    expect(view).toMatchObject({ session: { user: { email } }, cookies: [] })
    await reading.read(browser)
    expect(warned(reading)).toHaveLength(1)
  }
})

attack("JWT-04", "without the adapter a revoked session ends `maxStaleness` after its last check", async (mode) => {
  const its = world()
  const given = { security: securityOf(mode), session: { ...session, revocation: { maxStaleness: 120 } } } as const
  const { browser } = await adaAt(mode, given, its)
  const thief = thiefOf(browser)
  const reading = edge(its, { ...given, security: mode })
  await browser.signOut()
  its.clock.advance({ seconds: 120 })
  expect((await reading.read(thief)).session).toMatchObject({ user: { email } })
  its.clock.advance({ seconds: 1 })
  expect(await reading.read(thief)).toEqual(stale)
})

attack(
  "JWT-04",
  "with `maxStaleness: 0` no session is accepted without the adapter, and none has to be checked",
  async (mode) => {
    const its = world()
    for (const maxStaleness of [0, 1]) {
      const given = { ...session, revocation: { maxStaleness } }
      const { browser } = await adaAt(mode, { security: securityOf(mode), session: given }, its)
      its.clock.advance({ seconds: 2 })
      const { session: read, isStale } = await edge(its, { security: mode, session: given }).read(browser)
      expect([maxStaleness, read, isStale]).toEqual([maxStaleness, null, maxStaleness === 0 ? undefined : true])
    }
  },
)

strictAttack("JWT-04", "revocable sessions", "without a configured `maxStaleness` it is 300 seconds", async () => {
  const { its, browser } = await adaAt("strict", { session })
  const reading = edge(its, { security: "strict" })
  its.clock.advance({ seconds: 300 })
  expect((await reading.read(browser)).session).toMatchObject({ user: { email } })
  its.clock.advance({ seconds: 1 })
  expect(await reading.read(browser)).toEqual(stale)
  // A server with the adapter still has the session.
  expect(await whoIs(browser)).toBe(email)
})

attack(
  "JWT-04",
  "a server with the adapter seals the time of its check, without a write to the database",
  async (mode) => {
    const its = world()
    const given = { security: securityOf(mode), session: { ...session, revocation: { maxStaleness: 300 } } } as const
    const writes: string[] = []
    const adapter = {
      ...its.adapter,
      updateSession: async (row: Parameters<typeof its.adapter.updateSession>[0]) => (
        writes.push("update"), its.adapter.updateSession(row)
      ),
    }
    const { browser } = await adaAt(mode, { ...given, adapter }, its)
    const reading = edge(its, { ...given, security: mode })
    const tokens = new Set<string>()
    for (let second = 0; second < 3600; second += 30) {
      tokens.add(sessionCookie(browser))
      expect(await whoIs(browser)).toBe(email)
      expect((await reading.read(browser)).session).not.toBeNull()
      its.clock.advance({ seconds: 30 })
    }
    expect([tokens.size, writes]).toEqual([24, []])
    // The row is still extended once a day.
    for (let hour = 0; hour < 72; hour++) {
      its.clock.advance({ hours: 1 })
      expect(await whoIs(browser)).toBe(email)
    }
    expect(writes).toHaveLength(3)
  },
)

attack("JWT-04", "a check that a sign-out overtakes is not sealed", async (mode) => {
  const its = world()
  const given = { security: securityOf(mode), session: { ...session, revocation: { maxStaleness: 300 } } } as const
  const { browser } = await adaAt(mode, given, its)
  its.clock.advance({ seconds: 200 })
  let reads = 0
  const adapter = {
    ...its.adapter,
    getSessionAndUser: async (token: string) => {
      const row = await its.adapter.getSessionAndUser(token)
      if (reads++ === 0) await its.adapter.deleteSession(token)
      return row
    },
  }
  const server = createServer(
    configOf(its, { ...given, security: securityOf(mode), adapter, runtime: its.clock.runtime }),
  )
  const view = await server.session({ headers: new Headers({ cookie: cookieHeader(browser) }) })
  expect([view.session, view.cookies.filter(({ value }) => value !== "")]).toEqual([null, []])
})

strictAttack(
  "JWT-04",
  "revocable sessions",
  "without the adapter a session from before the switch is none",
  async () => {
    const its = world()
    const { browser: old } = await adaAt("compatible", { session }, its)
    for (const security of ["strict", revocable] as const) {
      const reading = edge(its, { security })
      expect(await reading.read(old)).toEqual(stale)
      expect(warned(reading).join()).toContain("before sessions were revocable")
    }
    const strict = await redeployed(old, its, { security: "strict", session })
    await strict.signOut()
    expect((await edge(its, { security: "strict" }).read(old)).session).toBeNull()
  },
)

attack("JWT-04", "a sign-out without the adapter says that the session is still active", async (mode) => {
  const its = world()
  const given = { security: securityOf(mode), session }
  const { browser } = await adaAt(mode, given, its)
  const thief = thiefOf(browser)
  const logger = { error: () => undefined, warn: () => undefined }
  const without = await redeployed(browser, its, { ...given, security: securityOf(mode), adapter: undefined, logger })
  const csrfToken = (await without.csrf()) ?? ""
  const response = await without.post("/auth/signout", { csrfToken })
  expect(response.status).not.toBe(200)
  expect(without.location).toContain("error")
  expect(cookieNames(without)).toEqual([])
  expect(await whoIs(thief)).toBe(email)
})

attack(
  "JWT-04",
  "a site without an adapter and without revocable sessions extends its sessions everywhere",
  async (mode) => {
    const its = world()
    const { browser } = await adaAt(mode, { adapter: undefined }, its)
    its.clock.advance({ days: 2 })
    const reading = edge(its, { security: mode })
    const { session: read, cookies } = await reading.read(browser)
    expect(read).toMatchObject({ user: { email } })
    expect(cookies.map(({ name }) => name)).toEqual([sessionName(mode)])
    expect(warned(reading)).toEqual([])
  },
)

attack("JWT-04", "without revocable sessions, a `sid` of the application's own changes nothing", async (mode) => {
  const its = world()
  const security = mode === "strict" ? ({ mode, revocableSessions: false } as const) : mode
  const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, sid: "of the provider" }) }
  const { browser } = await adaAt(mode, { security, session, callbacks }, its)
  its.clock.advance({ days: 2 })
  const reading = edge(its, { security, callbacks })
  const { session: read, cookies } = await reading.read(browser)
  expect(read).toMatchObject({ user: { email } })
  expect(cookies.filter(({ value }) => value !== "")).toHaveLength(1)
  expect(warned(reading)).toEqual([])
  await browser.signOut()
  expect(browser.location).toBe("https://app.test/")
})
