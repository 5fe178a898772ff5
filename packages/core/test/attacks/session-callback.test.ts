import type { Adapter, AdapterSession, AdapterUser } from "@latchkey/core/adapters"
import type { AuthConfig, JWT, Session } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { intercept } from "../flows/signin/setup.js"
import { appOf, whoIs, world } from "../modes/setup.js"

type Change = (token: JWT, victim: string) => unknown

/** Callbacks that put another user into the token, on purpose or by accident. */
const changes: Readonly<Record<string, Change>> = {
  "the `sub` of another user": (token, victim) => ({ ...token, sub: victim, email: "grace@example.test" }),
  "a changed token": (token, victim) => Object.assign(token, { sub: victim, email: "grace@example.test" }),
  "a new object without `sub`": () => ({ email: "grace@example.test" }),
  "a promise": async (token, victim) => ({ ...token, sub: victim, email: "grace@example.test" }),
  "a frozen object": (token, victim) => Object.freeze({ ...token, sub: victim, email: "grace@example.test" }),
  "an object with `toJSON`": (token, victim) => ({ ...token, toJSON: () => ({ ...token, sub: victim }) }),
  "a getter": (token, victim) => {
    let reads = 0
    return Object.defineProperty({ ...token }, "sub", {
      enumerable: true,
      get: () => (reads++ === 0 ? token.sub : victim),
    })
  },
}

/** Revocable sessions keep their user under both modes. */
function securityOf(mode: Mode): NonNullable<AuthConfig["security"]> {
  return mode === "strict" ? mode : { mode, revocableSessions: true }
}

for (const [what, change] of Object.entries(changes)) {
  attack(
    "JWT-05",
    `a \`jwt\` callback that returns ${what} does not give the session to another user`,
    async (mode) => {
      const its = world()
      const log = captureLog()
      let isChanging = false
      let victim = ""
      const jwt = ({ token }: { token: JWT }) => (isChanging ? (change(token, victim) as JWT) : token)
      const session = ({ session: shown, token }: { session: Session; token: JWT }) => ({
        ...shown,
        user: { ...shown.user, id: String(token.sub) },
      })
      const given = { security: securityOf(mode), logger: log.logger, session: { strategy: "jwt" } } as const
      const browser = await appOf(its, { ...given, callbacks: { jwt, session } })
      await browser.fresh().signInWith(its.op, { as: "grace" })
      await browser.signInWith(its.op, { as: "ada" })
      const [graceId = "", adaId = ""] = its.adapter.rows().users.map(({ id }) => id)
      victim = graceId
      isChanging = true
      for (let reads = 0; reads < 3; reads++) {
        expect(await browser.session()).toMatchObject({ user: { id: adaId } })
        its.clock.advance({ days: 4 })
      }
      isChanging = false
      expect(await browser.session()).toMatchObject({ user: { id: adaId } })
      if (mode === "strict") expect([await whoIs(browser), null, undefined]).toContain("ada@example.test")
      await browser.signInWith(its.op, { as: "ada" })
      await browser.signInWith(its.other, { as: "linus", fields: { link: "true" } })
      expect(its.adapter.rows().accounts.map(({ userId }) => userId)).toEqual([graceId, adaId, adaId])
      const warnings = log.entries.filter(({ message }) => message === "jwt-claims-restored")
      expect(warnings.length).toBeLessThanOrEqual(1)
      if (what.includes("`sub`")) expect(warnings[0]?.text).toContain("`sub`")
    },
  )
}

attack("JWT-05", "a token that the callback keeps for all users does not mix their sessions up", async (mode) => {
  const its = world()
  const shared: JWT = {}
  const callbacks: AuthConfig["callbacks"] = {
    jwt: async ({ token }) => Object.assign(shared, token),
    session: ({ session, token }) => ({ ...session, user: { id: token.sub ?? "" } }),
  }
  const session = { strategy: "jwt", updateAge: 0 } as const
  const ada = await appOf(its, { security: securityOf(mode), session, callbacks })
  const grace = ada.fresh()
  await ada.signInWith(its.op, { as: "ada" })
  await grace.signInWith(its.op, { as: "grace" })
  const ids = its.adapter.rows().users.map(({ id }) => id)
  for (let times = 0; times < 5; times++) {
    its.clock.advance({ hours: 1 })
    const seen = await Promise.all([ada, grace, ada, grace].map((browser) => browser.session()))
    expect(seen).toMatchObject([...ids, ...ids].map((id) => ({ user: { id } })))
  }
})

attack("JWT-05", "a row that the database joins with another user is no session", async (mode) => {
  const its = world()
  let isWrong = false
  const adapter = intercept(its.adapter, async (method, run) => {
    const found = await run()
    if (!isWrong || method !== "getSessionAndUser" || typeof found !== "object" || found === null) return found
    return { ...found, user: its.adapter.rows().users.find(({ email }) => email === "grace@example.test") }
  })
  const browser = await appOf(its, { security: mode, adapter, session: { strategy: "database" } })
  await browser.fresh().signInWith(its.op, { as: "grace" })
  await browser.signInWith(its.op, { as: "ada" })
  isWrong = true
  const copy = browser.clone()
  expect(await browser.session()).toBeNull()
  await copy.signInWith(its.other, { as: "linus", fields: { link: "true" } })
  const [grace] = its.adapter.rows().users
  expect(its.adapter.rows().accounts.filter(({ userId }) => userId === grace?.id)).toHaveLength(1)
})

const shapes: Readonly<Record<string, (row: Joined) => unknown>> = {
  "the user in place of its id": ({ session, user }) => ({ session: { ...session, userId: user }, user }),
  "a document in place of the id": ({ session, user }) => ({
    session: { ...session, userId: { _id: user.id, toString: () => "{ name: 'Ada' }" } },
    user,
  }),
  "an object id": ({ session, user }) => ({ session: { ...session, userId: { toString: () => user.id } }, user }),
  "binary ids": ({ session, user }) => ({ session: { ...session, userId: new TextEncoder().encode(user.id) }, user }),
  "no id of the user": ({ session, user }) => ({ session, user: { ...user, id: undefined } }),
  "no id in the session": ({ session, user }) => ({ session: { ...session, userId: undefined }, user }),
}

interface Joined {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

for (const [what, shape] of Object.entries(shapes)) {
  test(`a row with ${what} is a session`, async () => {
    const its = world()
    const adapter: Adapter = {
      ...its.adapter,
      getSessionAndUser: async (token) => {
        const row = await its.adapter.getSessionAndUser(token)
        return row === null ? null : (shape(row) as Joined)
      },
    }
    const browser = await appOf(its, { adapter, session: { strategy: "database" } })
    await browser.signInWith(its.op, { as: "ada" })
    expect(await whoIs(browser)).toBe("ada@example.test")
  })
}
