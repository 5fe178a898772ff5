import type { AuthConfig } from "@latchkey/core/types"
import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { appOf, configOf, cookieNames, mailer, sessionCookie, whoIs, world } from "../modes/setup.js"
import { adaAt, askSession, byWord, sessionName, strategies, type Strategy, thiefOf } from "./session-setup.js"

/** An application with a provider of each type and Ada as its user. */
async function site(security: Mode, strategy: Strategy) {
  const its = world()
  const mail = mailer()
  const providers = [its.op.provider(), mail.provider, byWord(its)]
  const rest: Partial<AuthConfig> = { security, session: { strategy }, providers }
  const browser = await appOf(its, rest)
  await browser.fresh().signInWith(its.op, { as: "ada" })
  await its.adapter.deleteSessions(its.adapter.rows().users[0]?.id ?? "")
  const ways: Record<string, (browser: Browser) => Promise<unknown>> = {
    oauth: async (tab) => tab.signInWith(its.op, { as: "ada" }),
    email: async (tab) => {
      await tab.signIn("mail", { email: "ada@example.test" })
      await tab.get(mail.links.at(-1) ?? "")
    },
    credentials: async (tab) => tab.signIn("credentials", { name: "ada", word: "open" }),
  }
  return { its, browser, ways, rest }
}

for (const strategy of strategies) {
  attack(
    "SESS-02",
    `every sign-in of the same user creates a new token and ends the old session (${strategy})`,
    async (mode) => {
      const { its, browser, ways } = await site(mode, strategy)
      for (const first of Object.values(ways)) {
        for (const [name, again] of Object.entries(ways)) {
          const tab = browser.fresh()
          await first(tab)
          const [old, thief] = [sessionCookie(tab), thiefOf(tab)]
          await again(tab)
          expect([name, await whoIs(tab)]).toEqual([name, "ada@example.test"])
          expect(sessionCookie(tab)).not.toBe(old)
          const endsOld = strategy === "database" || mode === "strict"
          expect(its.adapter.rows().sessions).toHaveLength(endsOld ? 1 : 0)
          if (endsOld) expect(await thief.session()).toBeNull()
          await tab.signOut()
        }
      }
    },
  )

  attack("SESS-03", `a session cookie planted before the sign-in is replaced (${strategy})`, async (mode) => {
    const { its, browser, ways } = await site(mode, strategy)
    const name = sessionName(mode)
    const [planted, uuid] = ["planted-by-mallory", "11111111-1111-4111-8111-111111111111"]
    const tokens = new Set<string>()
    for (const [way, signIn] of Object.entries(ways)) {
      for (const [at, value] of [
        [name, planted],
        [name, uuid],
        [`${name}.0`, planted],
        ["__Secure-authjs.session-token", uuid],
      ] as const) {
        const tab = browser.fresh()
        tab.jar.put({
          name: at,
          value,
          domain: "app.test",
          hostOnly: true,
          path: "/",
          secure: true,
          httpOnly: true,
          sameSite: "lax",
          expires: undefined,
        })
        await signIn(tab)
        expect([way, await whoIs(tab)]).toEqual([way, "ada@example.test"])
        expect(cookieNames(tab)).toEqual([name])
        expect([planted, uuid]).not.toContain(sessionCookie(tab))
        tokens.add(sessionCookie(tab))
      }
    }
    expect(tokens.size).toBe(12)
    const stored = its.adapter.rows().sessions.map(({ sessionToken }) => sessionToken)
    expect(stored.filter((token) => token === planted || token === uuid)).toEqual([])
    if (mode === "strict" || strategy === "jwt") expect(stored.filter((token) => tokens.has(token))).toEqual([])
  })
}

attack("SESS-05", "a database session ends when idle for `maxAge`, and its row is deleted", async (mode) => {
  const session = { strategy: "database", maxAge: 1000, updateAge: 100, absoluteMaxAge: 100_000 } as const
  const { its, browser } = await adaAt(mode, { session })
  const thief = thiefOf(browser)
  for (const cookie of thief.cookies) thief.jar.put({ ...cookie, expires: undefined })
  // Each use extends the session, so it outlives `maxAge`. It ends when idle for that long.
  for (let used = 0; used < 5; used++) {
    its.clock.advance({ seconds: 999 })
    expect(await whoIs(browser)).toBe("ada@example.test")
  }
  its.clock.advance({ seconds: 1000 })
  expect(await thief.session()).toBeNull()
  expect(its.adapter.rows().sessions).toEqual([])
})

attack("SESS-05", "a use before `updateAge` has passed extends nothing", async (mode) => {
  const { its, browser } = await adaAt(mode, { session: { strategy: "database", maxAge: 1000, updateAge: 100 } })
  const end = its.adapter.rows().sessions[0]?.expires
  its.clock.advance({ seconds: 99 })
  await browser.session()
  expect(its.adapter.rows().sessions[0]?.expires).toEqual(end)
})

attack(
  "SESS-05",
  "a database session ends at `absoluteMaxAge` even when in use, and an edited cookie does not change that",
  async (mode) => {
    const session = { strategy: "database", maxAge: 1000, updateAge: 0, absoluteMaxAge: 3600 } as const
    const { its, browser, rest } = await adaAt(mode, { session })
    const config = configOf(its, { ...rest, runtime: its.clock.runtime })
    const name = sessionName(mode)
    for (const seconds of [900, 900, 900, 899]) {
      its.clock.advance({ seconds })
      expect(await whoIs(browser)).toBe("ada@example.test")
      const token = sessionCookie(browser)
      const [bare] = token.split(".")
      for (const edited of [bare, `${bare}.zzzzzz`, `${token}.zzzzzz`, `${bare}.`, `${bare}.000000`])
        expect([edited, (await askSession(config, `${name}=${edited}`)).body]).toEqual([edited, null])
    }
    expect(browser.cookies.find(({ value }) => value === sessionCookie(browser))?.expires).toBe(its.clock.now() + 1000)
    const cookie = `${name}=${sessionCookie(browser)}`
    its.clock.advance({ seconds: 1 })
    const { body, cleared } = await askSession(config, cookie)
    expect([body, cleared, its.adapter.rows().sessions]).toEqual([null, [name], []])
  },
)
