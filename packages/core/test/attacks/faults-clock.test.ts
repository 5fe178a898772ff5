import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { appOf, whoIs, world } from "../modes/setup.js"
import { errorOf, hasSession } from "./faults-setup.js"
import { adaAt, strategies, thiefOf } from "./session-setup.js"

attack(
  "FAULT-08",
  "the clock of a provider may be a minute ahead, or behind by less than the token lifetime",
  async (mode) => {
    for (const [seconds, works] of [
      [-300, true],
      [-59, true],
      [59, true],
      [61, false],
      [300, false],
      [-3700, false],
    ] as const) {
      const its = world()
      const op = createProvider({ clock: { now: () => its.clock.now() + seconds * 1000 } })
      const browser = await appOf(its, { security: mode, providers: [op.provider()] })
      await browser.signInWith(op, { as: "ada" })
      expect([seconds, hasSession(browser), errorOf(browser) === null]).toEqual([seconds, works, works])
      if (!works) expect(its.adapter.rows().users).toEqual([])
    }
  },
)

attack("FAULT-08", "a clock set back during a sign-in does not break it, and one set forward ends it", async (mode) => {
  for (const [jump, works] of [
    [{ minutes: -5 }, false],
    [{ seconds: -30 }, true],
    [{ minutes: 14 }, true],
    [{ minutes: 16 }, false],
  ] as const) {
    const its = world()
    const op = createProvider({ clock: its.clock })
    const browser = await appOf(its, { security: mode, providers: [op.provider()] })
    await browser.signIn("op")
    its.clock.advance(jump)
    const answer = await op.authorize(browser.location, { as: "ada" })
    await browser.follow(answer, op.issuer)
    const back = "minutes" in jump && jump.minutes < 0
    expect([jump, hasSession(browser)]).toEqual([jump, works || back])
  }
})

attack("FAULT-08", "no cookie lifetime is negative or NaN when the clock jumps", async (mode) => {
  for (const strategy of strategies) {
    for (const days of [-2, -0.01, 0.5, 2, 29.9]) {
      const { its, browser } = await adaAt(mode, { session: { strategy, updateAge: 0, absoluteMaxAge: 30 * 86_400 } })
      its.clock.advance({ days })
      const lines = (await browser.fetch("/auth/session")).headers.getSetCookie()
      const ages = lines.flatMap((line) => /Max-Age=([^;]*)/.exec(line)?.[1] ?? [])
      expect(ages.filter((age) => !/^\d+$/.test(age))).toEqual([])
      const ends = lines.flatMap((line) => /Expires=([^;]*)/.exec(line)?.[1] ?? []).map((text) => Date.parse(text))
      expect(ends.filter((end) => !(end > its.clock.now()) || end > its.clock.now() + 33 * 86_400_000)).toEqual([])
      expect(await whoIs(browser)).toBe("ada@example.test")
    }
  }
})

attack("FAULT-08", "a session created while the clock was a day ahead expires at most a day late", async (mode) => {
  for (const strategy of strategies) {
    const its = world()
    its.clock.advance({ days: 1 })
    const { browser } = await adaAt(mode, { session: { strategy, absoluteMaxAge: 3 * 86_400, updateAge: 0 } }, its)
    its.clock.advance({ days: -1 })
    for (let hour = 0; hour < 4 * 24 - 1; hour++) {
      its.clock.advance({ hours: 1 })
      await browser.session()
    }
    const thief = thiefOf(browser)
    for (const cookie of thief.cookies) thief.jar.put({ ...cookie, expires: undefined })
    its.clock.advance({ hours: 1 })
    expect([await browser.session(), await thief.session()]).toEqual([null, null])
  }
})
