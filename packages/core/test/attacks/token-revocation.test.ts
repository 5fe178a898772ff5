import { createServer } from "@latchkey/core/server"
import type { JWT } from "@latchkey/core/types"
import { expect } from "vitest"
import { strictAttack } from "../../../../tests/attack.js"
import { configOf, cookieNames, redeployed, whoIs, world } from "../modes/setup.js"
import { adaAt, cookieHeader, thiefOf } from "./session-setup.js"

const session = { strategy: "jwt" } as const

async function stolen() {
  const { its, browser, rest } = await adaAt("strict", { session })
  const thief = thiefOf(browser)
  expect(await whoIs(thiefOf(thief))).toBe("ada@example.test")
  return { its, browser, rest, thief, userId: its.adapter.rows().users[0]?.id ?? "" }
}

type Stolen = Awaited<ReturnType<typeof stolen>>

const ends: Record<string, (its: Stolen) => Promise<unknown>> = {
  "sign-out": ({ browser }) => browser.signOut(),
  "sign-out by the application": ({ browser, its, rest }) =>
    createServer(configOf(its, { ...rest, runtime: its.clock.runtime })).signOut({
      headers: new Headers({ cookie: cookieHeader(browser) }),
    }),
  "sign-out everywhere": async ({ its, userId }) => its.adapter.deleteSessions(userId),
  "the removal of the user": async ({ its, userId }) => its.adapter.deleteUser(userId),
  "another sign-in of the browser": ({ its, browser }) => browser.signInWith(its.op, { as: "ada" }),
}

for (const [what, end] of Object.entries(ends)) {
  strictAttack(
    "JWT-04",
    "revocable sessions",
    `after ${what} a copy of the cookie is refused and deleted`,
    async () => {
      const all = await stolen()
      await end(all)
      const server = createServer(configOf(all.its, { ...all.rest, runtime: all.its.clock.runtime }))
      const visitor = { headers: new Headers({ cookie: cookieHeader(all.thief) }) }
      expect(await server.session(visitor, { readOnly: true })).toMatchObject({ session: null })
      expect(await server.update(visitor, { user: { name: "Mallory" } })).toMatchObject({ session: null })
      expect(await all.thief.session()).toBeNull()
      expect(cookieNames(all.thief)).toEqual([])
    },
  )
}

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a copy that the attacker renewed ends with the original session",
  async () => {
    const { its, browser, thief } = await stolen()
    its.clock.advance({ days: 2 })
    expect(await whoIs(thief)).toBe("ada@example.test")
    await browser.signOut()
    expect(await thief.session()).toBeNull()
    expect(its.adapter.rows().sessions).toEqual([])
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "no update or callback can change or remove the `sid` of a session",
  async () => {
    for (const sid of ["another", "", null, undefined]) {
      const callbacks = { jwt: ({ token }: { token: JWT }) => ({ ...token, sid }) }
      const { its, browser } = await adaAt("strict", { session: { ...session, updateAge: 0 }, callbacks })
      its.clock.advance({ hours: 1 })
      await browser.session()
      const thief = thiefOf(browser)
      await browser.signOut()
      expect(await thief.session()).toBeNull()
      expect(its.adapter.rows().sessions).toEqual([])
    }
  },
)

strictAttack("JWT-04", "revocable sessions", "a sign-out ends no other session", async () => {
  const { its, browser, rest } = await adaAt("strict", { session })
  const [other, grace] = [browser.fresh(), browser.fresh()]
  await other.signInWith(its.op, { as: "ada" })
  await grace.signInWith(its.op, { as: "grace" })
  await browser.signOut()
  expect([await whoIs(other), await whoIs(grace)]).toEqual(["ada@example.test", "grace@example.test"])
  expect(rest.security).toBe("strict")
})

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a session older than the setting is not extended for a removed user",
  async () => {
    const its = world()
    const { browser } = await adaAt("compatible", { session }, its)
    await its.adapter.deleteUser(its.adapter.rows().users[0]?.id ?? "")
    const after = await redeployed(browser, its, { security: "strict", session })
    expect(await after.session()).toBeNull()
    expect(its.adapter.rows().sessions).toEqual([])
  },
)

strictAttack(
  "JWT-04",
  "revocable sessions",
  "a copy of the cookie cannot link an account after the sign-out",
  async () => {
    const { its, browser, thief } = await stolen()
    await browser.signOut()
    await thief.signInWith(its.other, { as: "grace", fields: { link: "true" } })
    const [ada, grace] = its.adapter.rows().users
    expect(its.adapter.rows().accounts.map(({ userId }) => userId)).toEqual([ada?.id, grace?.id])
  },
)
