import type { Adapter } from "@latchkey/core/adapters"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { appOf, configOf, cookieNames, mailer, sessionCookie, whoIs, world } from "../modes/setup.js"
import { Auth } from "@latchkey/core"
import { adaAt, cookieHeader, counted, forge, sessionName, strategies, thiefOf } from "./session-setup.js"

for (const strategy of strategies) {
  attack(
    "ADV-BA-05",
    `sign-out ends only the ${strategy} session of its cookie, whatever else the request names`,
    async (mode) => {
      const its = world()
      const { adapter, calls } = counted(its.adapter)
      const { browser: ada, rest } = await adaAt(mode, { adapter, session: { strategy } }, its)
      const config = configOf(its, { ...rest, runtime: its.clock.runtime })
      const [rows, name, token] = [its.adapter.rows(), sessionName(mode), sessionCookie(ada)]
      const mallory = ada.fresh()
      const csrfToken = (await mallory.csrf()) ?? ""
      const sid = strategy === "database" && mode === "compatible" ? "guessed" : rows.sessions[0]?.sessionToken
      const claims = { sub: rows.users[0]?.id, sid, exp: 4e9 }
      const foreign = forge({ salt: name, secret: "mallorys-own-secret-0123456789-abcdef", content: claims })
      for (const forged of [sid ?? "guessed", foreign, `${token.slice(0, -2)}__`, token.slice(0, 30), "x"]) {
        const many = Array.from(
          { length: 100 },
          (_, index) => `${index % 2 === 0 ? name : "authjs.session-token"}.${index}=${forged.slice(0, 200)}`,
        )
        const cookie = [`${name}=${forged}`, cookieHeader(mallory), ...many].join("; ")
        calls.length = 0
        const body = new URLSearchParams({ csrfToken })
        const response = await Auth(
          new Request("https://app.test/auth/signout", { method: "POST", headers: { cookie }, body }),
          config,
        )
        expect([response.status, response.headers.get("location")]).toEqual([302, "https://app.test"])
        expect(calls.filter((method) => method.startsWith("delete"))).toEqual([])
        expect(calls.length).toBeLessThanOrEqual(2)
        expect(its.adapter.rows().sessions).toEqual(rows.sessions)
      }
      expect(await whoIs(ada)).toBe("ada@example.test")
    },
  )
}

attack(
  "ADV-BA-12",
  "removing a user ends every stored session, and a pending link follows the rules of a sign-up",
  async (mode) => {
    const its = world()
    const mail = mailer()
    const given = { session: { strategy: "database" }, providers: [its.op.provider(), mail.provider] } as const
    const { browser } = await adaAt(mode, given, its)
    const thief = thiefOf(browser)
    const id = its.adapter.rows().users[0]?.id ?? ""
    await browser.signIn("mail", { email: "ada@example.test" })
    await its.adapter.deleteUser(id)
    expect([await browser.session(), await thief.session(), cookieNames(browser)]).toEqual([null, null, []])
    await browser.get(mail.links[0] ?? "")
    const [user, ...others] = its.adapter.rows().users
    expect(others).toEqual([])
    expect(user?.id).not.toBe(id)
    expect(user).not.toHaveProperty("name")
    expect(its.adapter.rows().accounts).toEqual([])
    expect(await thief.session()).toBeNull()
  },
)

attack(
  "ADV-BA-12",
  "a link sent before the removal does not sign in a user whom the `signIn` callback would refuse",
  async (mode) => {
    const its = world()
    const mail = mailer()
    const asked: unknown[] = []
    const signIn = async ({ user }: { user: { email?: string | null } }) => {
      asked.push(user)
      return (await its.adapter.getUserByEmail(user.email ?? "")) !== null
    }
    await its.adapter.createUser({ id: "u1", email: "ada@example.test", emailVerified: new Date(0) })
    const browser = await appOf(its, { security: mode, callbacks: { signIn }, providers: [mail.provider] })
    await browser.signIn("mail", { email: "ada@example.test" })
    await its.adapter.deleteUser("u1")
    await browser.get(mail.links[0] ?? "")
    expect(browser.location).toBe("https://app.test/auth/error?error=AccessDenied")
    expect(asked).toHaveLength(2)
    expect([await browser.session(), its.adapter.rows().users, its.adapter.rows().sessions]).toEqual([null, [], []])
  },
)

strictAttack(
  "ADV-BA-12",
  "revocable sessions",
  "removing a user ends every JWT session, also one that is due for renewal",
  async () => {
    for (const days of [0, 2]) {
      const { its, browser } = await adaAt("strict", { session: { strategy: "jwt" } })
      its.clock.advance({ days })
      await its.adapter.deleteUser(its.adapter.rows().users[0]?.id ?? "")
      expect([await browser.session(), cookieNames(browser), its.adapter.rows().sessions]).toEqual([null, [], []])
    }
  },
)

attack("ADV-BA-12", "sessions that a database kept of a removed user are not valid", async (mode) => {
  for (const answer of [null, undefined, "row without user"] as const) {
    const its = world()
    let removed = false
    const adapter: Adapter = {
      ...its.adapter,
      getSessionAndUser: async (token) => {
        const found = await its.adapter.getSessionAndUser(token)
        if (!removed) return found
        return (answer === "row without user" ? { session: found?.session, user: null } : answer) as typeof found
      },
    }
    const { browser } = await adaAt(mode, { adapter, session: { strategy: "database" } }, its)
    removed = true
    expect(await browser.session()).toBeNull()
    // An invalid result is an error, which keeps the cookie. A missing row is a sign-out.
    expect(cookieNames(browser)).toHaveLength(answer === "row without user" ? 1 : 0)
  }
})
