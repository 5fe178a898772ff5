import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { intercept } from "../flows/signin/setup.js"
import { configOf, sessionCookie, strongSecret, whoIs, world } from "../modes/setup.js"
import { adaAt, cookieHeader, strategies } from "./session-setup.js"

const hidden = { passwordHash: "$argon2id$v=19$secret", role: "admin", access_token: "leaked-access-token" }

/** A database with more columns than the adapter interface, as real ones have. */
function wideStore() {
  const its = world()
  const widened = new Set(["getUser", "getUserByEmail", "getUserByAccount", "createUser"])
  const adapter = intercept(its.adapter, async (method, run) => {
    const result = await run()
    if (method === "getSessionAndUser" && typeof result === "object" && result !== null && "user" in result) {
      return { ...result, user: Object.assign({}, result.user, hidden) }
    }
    return widened.has(method) && typeof result === "object" && result !== null ? { ...result, ...hidden } : result
  })
  return { its, adapter }
}

for (const strategy of strategies) {
  attack(
    "SESS-07",
    `a session contains name, email and image, and neither its token nor other columns (${strategy})`,
    async (mode) => {
      const { its, adapter } = wideStore()
      const given: Partial<AuthConfig> = { adapter, session: { strategy } }
      const { browser, rest } = await adaAt(mode, given, its)
      const server = createServer(configOf(its, { ...rest, runtime: its.clock.runtime }))
      const visitor = { headers: new Headers({ cookie: cookieHeader(browser) }) }
      const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data: { user: hidden, role: "admin" } })
      const updated = await browser.fetch("/auth/session", {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      })
      const views = [
        await browser.session(),
        (await server.session(visitor)).session,
        (await server.session(visitor, { readOnly: true })).session,
        (await server.update(visitor, { user: hidden } as never)).session,
        await updated.json(),
      ]
      for (const view of views) {
        const { user, expires, ...others } = view as { user: object; expires: unknown }
        expect([others, typeof expires]).toEqual([{}, "string"])
        expect(Object.keys(user).filter((key) => !["id", "name", "email", "image"].includes(key))).toEqual([])
        expect(user).toMatchObject({ email: "ada@example.test" })
        for (const value of [...Object.values(hidden), sessionCookie(browser), strongSecret])
          expect(JSON.stringify(view)).not.toContain(value)
      }
    },
  )
}

attack("SESS-07", "a `session` callback that returns all its arguments does not reveal the token", async (mode) => {
  const callbacks: AuthConfig["callbacks"] = { session: ({ session, user }) => ({ ...session, user: { ...user } }) }
  const whole: AuthConfig["callbacks"] = { session: ({ session }) => session }
  for (const each of [callbacks, whole]) {
    const { its, browser } = await adaAt(mode, { session: { strategy: "database" }, callbacks: each })
    const text = JSON.stringify(await browser.session())
    expect(text).toContain("ada@example.test")
    expect(text).not.toContain(sessionCookie(browser))
    expect(text).not.toContain(its.adapter.rows().sessions[0]?.sessionToken)
  }
})

const asked = { as: "grace", fields: { link: "true" } } as const

for (const strategy of strategies) {
  strictAttack(
    "SESS-08",
    "linking",
    `an account is linked only after a recent sign-in, which use does not renew (${strategy})`,
    async () => {
      const { its, browser } = await adaAt("strict", { session: { strategy, updateAge: 0 } })
      const linked = () => its.adapter.rows().accounts.map(({ provider }) => provider)
      its.clock.advance({ minutes: 14 })
      await browser.session()
      its.clock.advance({ minutes: 1, seconds: 1 })
      const data = { auth_time: its.clock.now() / 1000 }
      const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data })
      await browser.fetch("/auth/session", { method: "POST", body, headers: { "content-type": "application/json" } })
      await browser.signInWith(its.other, asked)
      expect(browser.location).toBe("https://app.test/auth/error?error=AccessDenied")
      expect([linked(), await whoIs(browser)]).toEqual([["op"], "ada@example.test"])
      await browser.signInWith(its.op, { as: "ada" })
      await browser.signInWith(its.other, asked)
      expect([linked(), await whoIs(browser)]).toEqual([["op", "other"], "ada@example.test"])
    },
  )

  strictAttack(
    "SESS-08",
    "linking",
    `linking that ends after the sign-in is no longer recent is refused (${strategy})`,
    async () => {
      const { its, browser } = await adaAt("strict", { session: { strategy } })
      its.clock.advance({ minutes: 14 })
      await browser.post("/auth/signin/other", { csrfToken: (await browser.csrf()) ?? "", link: "true" })
      const answer = await its.other.authorize(browser.location, { as: "grace" })
      its.clock.advance({ minutes: 2 })
      await browser.follow(answer, its.other.issuer)
      expect(browser.location).toBe("https://app.test/auth/error?error=AccessDenied")
      expect(its.adapter.rows().accounts).toHaveLength(1)
    },
  )

  strictAttack(
    "SESS-08",
    "linking",
    `a sign-in in the future, by a wrong clock, is not recent (${strategy})`,
    async () => {
      const its = world()
      its.clock.advance({ days: 1 })
      const { browser } = await adaAt("strict", { session: { strategy } }, its)
      its.clock.advance({ days: -1 })
      await browser.signInWith(its.other, asked)
      expect(browser.location).toBe("https://app.test/auth/error?error=AccessDenied")
      expect(its.adapter.rows().accounts).toHaveLength(1)
    },
  )
}
