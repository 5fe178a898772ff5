import { describe, expect, test } from "vitest"
import { createServer } from "@latchkey/core/server"
import { appOf, compatible, configOf, cookieNames, hardened, redeployed, sessionCookie, whoIs, world } from "./setup.js"

const session = { strategy: "jwt" } as const

async function signedIn(security: Parameters<typeof appOf>[1]["security"]) {
  const its = world()
  const browser = await appOf(its, { security, session })
  await browser.signInWith(its.op, { as: "ada" })
  return { its, browser, userId: its.adapter.rows().users[0]?.id ?? "" }
}

describe.each(compatible("revocableSessions", false))("sealed sessions under %s", (_, security) => {
  test("no session is stored, and a removed user stays signed in until it expires", async () => {
    const { its, browser, userId } = await signedIn(security)
    expect(its.adapter.rows().sessions).toEqual([])
    await its.adapter.deleteUser(userId)
    expect(await whoIs(browser)).toBe("ada@example.test")
  })
})

describe.each(hardened("revocableSessions", true))("sealed sessions under %s", (_, security) => {
  test("the stored session token is a hash that is not in the cookie", async () => {
    const { its, browser, userId } = await signedIn(security)
    const [row, ...others] = its.adapter.rows().sessions
    expect(others).toEqual([])
    expect(row).toMatchObject({ userId, sessionToken: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) })
    expect(sessionCookie(browser)).not.toContain(row?.sessionToken)
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("signing out everywhere ends it", async () => {
    const { its, browser, userId } = await signedIn(security)
    await its.adapter.deleteSessions(userId)
    expect(await browser.session()).toBeNull()
    expect(cookieNames(browser)).toEqual([])
  })

  test("the removal of the user ends it", async () => {
    const { its, browser, userId } = await signedIn(security)
    await its.adapter.deleteUser(userId)
    expect(await browser.session()).toBeNull()
  })

  test("after sign-out a copy of the cookie is worthless", async () => {
    const { its, browser } = await signedIn(security)
    const thief = browser.fresh()
    for (const cookie of browser.cookies) thief.jar.put(cookie)
    await browser.signOut()
    expect(its.adapter.rows().sessions).toEqual([])
    expect(await thief.session()).toBeNull()
  })

  test("a new sign-in ends the session it replaces", async () => {
    const { its, browser } = await signedIn(security)
    const thief = browser.fresh()
    for (const cookie of browser.cookies) thief.jar.put(cookie)
    await browser.signInWith(its.op, { as: "ada" })
    expect(its.adapter.rows().sessions).toHaveLength(1)
    expect(await thief.session()).toBeNull()
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("a session in use is extended in the store and in the cookie", async () => {
    const { its, browser } = await signedIn(security)
    its.clock.advance({ days: 2 })
    await browser.session()
    expect(its.adapter.rows().sessions[0]?.expires).toEqual(new Date(its.clock.now() + 30 * 86_400_000))
  })

  test("a `jwt` callback that drops unknown claims keeps the session valid", async () => {
    const its = world()
    const callbacks = { jwt: ({ token }: { token: { sub?: string } }) => ({ sub: token.sub ?? "" }) }
    const browser = await appOf(its, { security, session, callbacks })
    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ days: 2 })
    await browser.session()
    await its.adapter.deleteSessions(its.adapter.rows().users[0]?.id ?? "")
    expect(await browser.session()).toBeNull()
  })

  test("a session older than the setting is stored on its next use", async () => {
    const its = world()
    const before = await appOf(its, { session })
    await before.signInWith(its.op, { as: "ada" })
    const after = await redeployed(before, its, { security, session })
    expect(await whoIs(after)).toBe("ada@example.test")
    expect(its.adapter.rows().sessions).toHaveLength(1)
    await its.adapter.deleteSessions(its.adapter.rows().users[0]?.id ?? "")
    expect(await after.session()).toBeNull()
  })

  test("while the database is unavailable there is no session, and no cookie is deleted", async () => {
    const { its, browser } = await signedIn(security)
    const broken = { ...its.adapter, getSessionAndUser: () => Promise.reject(new Error("the store is away")) }
    const logger = { error: () => undefined }
    const server = createServer(
      configOf(its, { security, session, adapter: broken, logger, runtime: its.clock.runtime }),
    )
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const view = await server.session({ headers: new Headers({ cookie }) })
    expect(view).toMatchObject({ session: null, cookies: [], error: { type: "JWTSessionError" } })
  })
})

test.each(["compatible", "strict"] as const)(
  "without an adapter a JWT session is valid until it expires (%s)",
  async (security) => {
    const its = world()
    const browser = await appOf(its, { security, adapter: undefined })
    await browser.signInWith(its.op, { as: "ada" })
    expect(await whoIs(browser)).toBe("ada@example.test")
  },
)
