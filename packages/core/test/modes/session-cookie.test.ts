import { captureLog, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { appOf, compatible, configOf, cookieNames, hardened, redeployed, sessionCookie, whoIs, world } from "./setup.js"

const strategies = ["jwt", "database"] as const

test.each(compatible("sessionCookiePrefix", "__Secure-"))(
  "%s: the session cookie is `__Secure-`",
  async (_, security) => {
    const its = world()
    const browser = await appOf(its, { security })
    await browser.signInWith(its.op, { as: "ada" })
    expect(cookieNames(browser)).toEqual(["__Secure-authjs.session-token"])
  },
)

describe.each(hardened("sessionCookiePrefix", "__Host-"))("under %s", (_, security) => {
  test("the session cookie is `__Host-`", async () => {
    const its = world()
    const browser = await appOf(its, { security })
    await browser.signInWith(its.op, { as: "ada" })
    expect(cookieNames(browser)).toEqual(["__Host-authjs.session-token"])
  })

  test.each(strategies)("a session under the default name is read and moved at once (%s)", async (strategy) => {
    const its = world()
    const before = await appOf(its, { session: { strategy } })
    await before.signInWith(its.op, { as: "ada" })
    const after = await redeployed(before, its, { security, session: { strategy } })
    expect(await whoIs(after)).toBe("ada@example.test")
    expect(cookieNames(after)).toEqual(["__Host-authjs.session-token"])
    expect(await whoIs(after)).toBe("ada@example.test")
  })

  test("the first session of the former name is a warning, unless a date ends them", async () => {
    for (const formerSessionsUntil of [undefined, "2027-01-01"]) {
      const its = world()
      const log = captureLog()
      const before = await appOf(its, { session: { strategy: "jwt" } })
      await before.signInWith(its.op, { as: "ada" })
      const options = typeof security === "string" ? { mode: security } : security
      const after = await redeployed(before, its, {
        security: { ...options, formerSessionsUntil },
        session: { strategy: "jwt" },
        logger: log.logger,
      })
      expect(await whoIs(after)).toBe("ada@example.test")
      for (const cookie of before.cookies) after.jar.put(cookie)
      after.jar.remove("__Host-authjs.session-token")
      expect(await whoIs(after)).toBe("ada@example.test")
      const warnings = log.entries.filter(({ message }) => message.includes("former-sessions"))
      expect(warnings.length).toBe(formerSessionsUntil === undefined ? 1 : 0)
    }
  })

  test.each(strategies)("sign-out deletes the cookie under the default name too (%s)", async (strategy) => {
    const its = world()
    const before = await appOf(its, { session: { strategy } })
    await before.signInWith(its.op, { as: "ada" })
    const after = await redeployed(before, its, { security, session: { strategy } })
    await after.signOut()
    expect(cookieNames(after)).toEqual([])
    expect(its.adapter.rows().sessions).toEqual([])
  })

  test("a session under the new name takes precedence", async () => {
    const its = world()
    const before = await appOf(its, { session: { strategy: "jwt" } })
    await before.signInWith(its.op, { as: "grace" })
    const after = await redeployed(before, its, { security, session: { strategy: "jwt" } })
    const fresh = after.fresh()
    await fresh.signInWith(its.op, { as: "ada" })
    for (const cookie of fresh.cookies) after.jar.put(cookie)
    expect(await whoIs(after)).toBe("ada@example.test")
  })

  test("with a configured name the default name is not read", async () => {
    const its = world()
    const before = await appOf(its, {})
    await before.signInWith(its.op, { as: "ada" })
    const cookies = { sessionToken: { name: "__Host-mine" } }
    const after = await redeployed(before, its, { security, cookies })
    expect(await after.session()).toBeNull()
  })
})

test("over http no cookie name has a prefix", async () => {
  const its = world()
  const config = configOf(its, { url: "http://app.test/auth", security: "strict" })
  const browser = await visit(config, { clock: its.clock, origin: "http://app.test" })
  await browser.signInWith(its.op, { as: "ada" })
  expect(cookieNames(browser)).toEqual(["authjs.session-token"])
  expect(sessionCookie(browser)).not.toBe("")
})
