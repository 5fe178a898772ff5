import type { AuthConfig, JWT } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { configOf, cookieNames, whoIs, world } from "../modes/setup.js"
import { adaAt, askSession, forge, sessionName, strategies, thiefOf } from "./session-setup.js"

function stateless(mode: Mode, rest: Partial<AuthConfig> = {}) {
  const its = world()
  const config = configOf(its, { security: mode, adapter: undefined, runtime: its.clock.runtime, ...rest })
  const now = its.clock.now() / 1000
  const salt = sessionName(mode)
  const answer = async (claims: object) =>
    askSession(config, `${salt}=${forge({ salt, content: { sub: "ada", ...claims } })}`)
  return { its, config, now, answer, salt }
}

attack("JWT-02", "a token is accepted until less than 15 s after its expiry", async (mode) => {
  const { answer, now, salt } = stateless(mode)
  for (const [ago, alive] of [
    [-1, true],
    [0, true],
    [10, true],
    [14, true],
    [15, false],
    [20, false],
    [86_400, false],
  ] as const) {
    const { body, cleared } = await answer({ iat: now - 600, exp: now - ago })
    expect([ago, body !== null]).toEqual([ago, alive])
    if (!alive) expect(cleared).toEqual([salt])
  }
})

attack("JWT-02", "a token without a numeric expiry is refused even if encrypted with the secret", async (mode) => {
  const { answer, now, salt } = stateless(mode)
  for (const exp of [undefined, null, "", String(now + 600), [now + 600], { valueOf: 1 }, true, -1, 0]) {
    const { body, cleared } = await answer({ iat: now, exp })
    expect([exp, body, cleared]).toEqual([exp, null, [salt]])
  }
  for (const times of [{ iat: "1" }, { nbf: now + 20 }, { nbf: "1" }, { iat: null }]) {
    expect([times, (await answer({ exp: now + 600, ...times })).body]).toEqual([times, null])
  }
  expect((await answer({ exp: now + 600, nbf: now + 15 })).body).not.toBeNull()
})

attack("JWT-02", "a token issued in the future still ends at its expiry", async (mode) => {
  const { its, answer, now } = stateless(mode)
  const claims = { iat: now + 365 * 86_400, exp: now + 600, auth_time: now }
  expect((await answer(claims)).body).not.toBeNull()
  its.clock.advance({ seconds: 615 })
  expect((await answer(claims)).body).toBeNull()
})

attack(
  "JWT-02",
  "a copied token unused for `session.maxAge` is refused even if `jwt.maxAge` is longer",
  async (mode) => {
    const { its, browser } = await adaAt(mode, { session: { strategy: "jwt", maxAge: 600 }, jwt: { maxAge: 86_400 } })
    const thief = thiefOf(browser)
    for (const cookie of thief.cookies) thief.jar.put({ ...cookie, expires: undefined })
    its.clock.advance({ seconds: 614 })
    expect(await whoIs(thiefOf(thief))).toBe(mode === "strict" ? null : "ada@example.test")
    its.clock.advance({ seconds: 1 })
    expect(await thief.session()).toBeNull()
  },
)

attack("JWT-02", "expired claims from a configured `decode` are refused", async (mode) => {
  const seconds = world().clock.now() / 1000
  const decode = (claims: JWT) => ({ jwt: { encode: () => "mine", decode: () => claims } })
  const late = stateless(mode, decode({ sub: "ada", iat: seconds - 600, exp: seconds - 15 }))
  expect((await askSession(late.config, `${late.salt}=mine`)).body).toBeNull()
  const idle = stateless(mode, decode({ sub: "ada", iat: seconds - 31 * 86_400 }))
  expect((await askSession(idle.config, `${idle.salt}=mine`)).body).toBeNull()
  const timely = stateless(mode, decode({ sub: "ada", iat: seconds - 600, exp: seconds }))
  expect((await askSession(timely.config, `${timely.salt}=mine`)).body).not.toBeNull()
})

for (const strategy of strategies) {
  strictAttack(
    "JWT-03",
    "lifetime",
    `polling every hour does not extend a ${strategy} session beyond 30 days after the sign-in`,
    async () => {
      const { its, browser } = await adaAt("strict", { session: { strategy } })
      for (let hour = 1; hour < 30 * 24; hour++) {
        its.clock.advance({ hours: 1 })
        expect(await browser.session()).not.toBeNull()
      }
      its.clock.advance({ hours: 1 })
      expect(await browser.session()).toBeNull()
      expect(cookieNames(browser)).toEqual([])
    },
  )

  attack(
    "JWT-03",
    `\`absoluteMaxAge\` ends a ${strategy} session, and no update or callback moves its beginning`,
    async (mode) => {
      const callbacks = { jwt: ({ token, session: data }: { token: JWT; session?: object }) => ({ ...token, ...data }) }
      const { its, browser } = await adaAt(mode, {
        session: { strategy, absoluteMaxAge: 86_400, updateAge: 0 },
        callbacks,
      })
      const later = its.clock.now() / 1000 + 1e6
      for (let hour = 1; hour < 24; hour++) {
        its.clock.advance({ hours: 1 })
        const data = { auth_time: later, iat: later, exp: later, expires: new Date(later * 1000).toISOString() }
        const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data })
        await browser.fetch("/auth/session", { method: "POST", body, headers: { "content-type": "application/json" } })
        expect(await browser.session()).not.toBeNull()
      }
      const thief = thiefOf(browser)
      for (const cookie of thief.cookies) thief.jar.put({ ...cookie, expires: undefined })
      its.clock.advance({ hours: 1 })
      expect(await browser.session()).toBeNull()
      expect(await thief.session()).toBeNull()
    },
  )
}
