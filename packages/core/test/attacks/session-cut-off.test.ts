import { createSessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { redeployed, strongSecret, whoIs, type World, world } from "../modes/setup.js"
import { forgeVersion4, putCookie, version4Name } from "../version4/setup.js"
import { adaAt, cookieHeader, gated, strategies, type Strategy } from "./session-setup.js"

const email = "ada@example.test"

/** The clock of a world starts at the beginning of 2026. */
const notBefore = "2026-01-10T12:00:00Z"

function cutOff(strategy: Strategy, mode: Mode, rest: Partial<AuthConfig> = {}) {
  return { security: mode, ...rest, session: { strategy, notBefore, maxAge: 31_536_000, ...rest.session } } as const
}

for (const strategy of strategies) {
  attack(
    "JWT-04",
    `a ${strategy} session that began before \`notBefore\` has ended, one that began after hasn't`,
    async (mode) => {
      const its = world()
      const { browser } = await adaAt(mode, { session: { strategy, maxAge: 31_536_000 } }, its)
      // Renewals don't make it younger.
      for (let day = 0; day < 12; day++) {
        its.clock.advance({ days: 1 })
        expect(await whoIs(browser)).toBe(email)
      }
      const after = await redeployed(browser, its, cutOff(strategy, mode))
      expect(await after.session()).toBeNull()
      await after.signInWith(its.op, { as: "ada" })
      for (let day = 0; day < 12; day++) {
        its.clock.advance({ days: 1 })
        expect(await whoIs(after)).toBe(email)
      }
    },
  )

  attack("JWT-04", `a ${strategy} session ends at a \`notBefore\` in the future`, async (mode) => {
    const { its, browser } = await adaAt(mode, cutOff(strategy, mode))
    its.clock.set(new Date(notBefore).getTime() - 1)
    expect(await whoIs(browser)).toBe(email)
    its.clock.advance(1)
    expect(await browser.session()).toBeNull()
    await browser.signInWith(its.op, { as: "ada" })
    expect(await whoIs(browser)).toBe(email)
  })

  attack("JWT-04", `an assumed sign-in time doesn't keep a ${strategy} session`, async (mode) => {
    const its = world()
    const { browser } = await adaAt("compatible", { session: { strategy } }, its)
    its.clock.set(new Date(notBefore).getTime() + 3_600_000)
    const aged = { strategy, absoluteMaxAge: 31_536_000 } as const
    const known = await redeployed(browser, its, { security: mode, session: aged })
    expect(await whoIs(known)).toBe(email)
    its.clock.advance({ minutes: 30 })
    const early = { ...aged, notBefore }
    expect(await (await redeployed(known, its, { security: mode, session: early })).session()).toBeNull()
  })

  attack("RACE-03", `a renewal that crosses \`notBefore\` doesn't keep a ${strategy} session`, async (mode) => {
    const its = world()
    const { adapter, arrived, close, open } = gated(its.adapter, "updateSession")
    const security = mode === "strict" ? "strict" : { revocableSessions: true }
    const session = { strategy, absoluteMaxAge: 63_072_000 } as const
    const { browser } = await adaAt(mode, cutOff(strategy, mode, { security, adapter, session }), its)
    its.clock.set(new Date(notBefore).getTime() - 1000)
    close()
    const reading = browser.fetch("/auth/session")
    await arrived
    its.clock.advance({ minutes: 1 })
    open()
    await reading
    expect(await browser.session()).toBeNull()
  })
}

attack("V4-01", "a session of next-auth 4 doesn't say when it began, so it ends at `notBefore`", async (mode) => {
  const its: World = world()
  const { browser } = await adaAt(mode, { session: { strategy: "jwt" } }, its)
  const sub = its.adapter.rows().users[0]?.id
  its.clock.set(new Date(notBefore).getTime() + 60_000)
  const iat = Math.floor(its.clock.now() / 1000)
  const visitor = browser.fresh()
  putCookie(visitor, version4Name, forgeVersion4({ content: { sub, email, iat, exp: iat + 2_592_000 } }))
  const version4 = { acceptUntil: "2027-01-01" }
  const open = await redeployed(visitor, its, { security: mode, session: { strategy: "jwt", version4 } })
  const ended = await redeployed(visitor, its, { security: mode, session: { strategy: "jwt", version4, notBefore } })
  expect([await whoIs(open), await ended.session()]).toEqual([email, null])
  // Nor after it was moved to the own cookie.
  const later = await redeployed(open, its, { security: mode, session: { strategy: "jwt", version4, notBefore } })
  expect(await later.session()).toBeNull()
})

attack("JWT-04", "`notBefore` counts on a server without the adapter too", async (mode) => {
  const { its, browser } = await adaAt(mode, { session: { strategy: "jwt", maxAge: 31_536_000 } })
  its.clock.set(new Date(notBefore))
  const session = { strategy: "jwt", notBefore, maxAge: 31_536_000, revocation: { maxStaleness: 31_536_000 } } as const
  const reader = createSessionReader({
    secret: strongSecret,
    url: "https://app.test/auth",
    security: mode,
    session,
    runtime: its.clock.runtime,
    logger: { warn: () => undefined },
  })
  expect((await reader.session({ headers: new Headers({ cookie: cookieHeader(browser) }) })).session).toBeNull()
})
