import { describe, expect, test } from "vitest"
import { appOf, cookieNames, redeployed, whoIs, world } from "./setup.js"

const strategies = ["jwt", "database"] as const

/** Uses the session once a day. */
async function daily(its: ReturnType<typeof world>, browser: Awaited<ReturnType<typeof appOf>>, days: number) {
  for (let day = 0; day < days; day++) {
    its.clock.advance({ days: 1 })
    await browser.session()
  }
}

describe.each(strategies)("strategy %s", (strategy) => {
  test('under "compatible" a session in use is extended without limit', async () => {
    const its = world()
    const browser = await appOf(its, { security: "compatible", session: { strategy } })
    await browser.signInWith(its.op, { as: "ada" })
    await daily(its, browser, 60)
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test('under "strict" a session ends 30 days after the sign-in even when in use', async () => {
    const its = world()
    const browser = await appOf(its, { security: "strict", session: { strategy } })
    await browser.signInWith(its.op, { as: "ada" })
    await daily(its, browser, 29)
    expect(await whoIs(browser)).toBe("ada@example.test")
    its.clock.advance({ days: 1 })
    expect(await browser.session()).toBeNull()
    expect(cookieNames(browser)).toEqual([])
  })

  test.each(["compatible", "strict"] as const)(
    "`absoluteMaxAge` counts from the sign-in, not from the last use (%s)",
    async (security) => {
      const its = world()
      const browser = await appOf(its, { security, session: { strategy, absoluteMaxAge: 3600, updateAge: 0 } })
      await browser.signInWith(its.op, { as: "ada" })
      for (const minutes of [20, 20, 19]) {
        its.clock.advance({ minutes })
        expect(await whoIs(browser)).toBe("ada@example.test")
      }
      its.clock.advance({ minutes: 1 })
      expect(await browser.session()).toBeNull()
    },
  )

  test("a new sign-in restarts the limit", async () => {
    const its = world()
    const browser = await appOf(its, { session: { strategy, absoluteMaxAge: 3600 } })
    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ minutes: 50 })
    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ minutes: 50 })
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("for a session older than the setting the limit starts at its next use", async () => {
    const its = world()
    const before = await appOf(its, { session: { strategy } })
    await before.signInWith(its.op, { as: "ada" })
    its.clock.advance({ days: 2 })
    const after = await redeployed(before, its, { session: { strategy, absoluteMaxAge: 30 * 86_400 } })
    await after.session()
    await daily(its, after, 28)
    expect(await whoIs(after)).toBe("ada@example.test")
    await daily(its, after, 3)
    expect(await after.session()).toBeNull()
  })

  test("a session older than the setting does not count as a recent sign-in", async () => {
    const its = world()
    const before = await appOf(its, { session: { strategy } })
    await before.signInWith(its.op, { as: "ada" })
    its.clock.advance({ days: 2 })
    const after = await redeployed(before, its, { security: "strict", session: { strategy } })
    await after.session()
    await after.signInWith(its.other, { as: "grace", fields: { link: "true" } })
    expect(after.location).toContain("error=AccessDenied")
  })
})

test.each(["compatible", "strict"] as const)(
  "a session at its limit is not written on every read (%s)",
  async (security) => {
    const its = world()
    const written: unknown[] = []
    const { updateSession } = its.adapter
    const adapter = Object.assign(its.adapter, {
      updateSession: (session: Parameters<typeof updateSession>[0]) => {
        written.push(session)
        return updateSession(session)
      },
    })
    const browser = await appOf(its, { security, adapter, session: { maxAge: 86_400, absoluteMaxAge: 86_400 } })
    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ hours: 12 })
    await browser.session()
    expect(await whoIs(browser)).toBe("ada@example.test")
    expect(written).toEqual([])
  },
)
