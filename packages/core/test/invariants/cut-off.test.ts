import { createServer } from "@latchkey/core/server"
import { captureLog } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { cookieHeader, strategies } from "../attacks/session-setup.js"
import { holds, patience } from "../fuzz/holds.js"
import { appOf, redeployed, strongSecret, world } from "../modes/setup.js"

const hour = 3_600_000

const history = fc.record({
  strategy: fc.constantFrom(...strategies),
  security: fc.constantFrom("strict" as const, "compatible" as const),
  /** Whether the application kept the time of sign-in from the start. */
  isKnown: fc.boolean(),
  /** Hours from the sign-in to the cut-off. */
  cutOff: fc.integer({ min: -60, max: 60 }),
  /** Hours between the reads. */
  waits: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }),
})

test(
  "a session survives `notBefore` only if it's known to have begun later",
  () =>
    holds(
      fc.asyncProperty(history, async ({ strategy, security, isKnown, cutOff, waits }) => {
        const its = world()
        const aged = { strategy, absoluteMaxAge: 31_536_000 } as const
        const started = its.clock.now()
        const first = await appOf(its, isKnown ? { security, session: aged } : { session: { strategy } })
        await first.signInWith(its.op, { as: "ada" })
        // From here on, sessions get an assumed sign-in time if they have none.
        const browser = isKnown ? first : await redeployed(first, its, { security, session: aged })
        for (const wait of waits) {
          its.clock.advance({ hours: wait })
          await browser.session()
        }
        const notBefore = new Date(started + cutOff * hour)
        const { session } = createServer({
          secret: strongSecret,
          url: "https://app.test/auth",
          adapter: its.adapter,
          providers: [],
          security,
          session: { ...aged, notBefore },
          runtime: its.clock.runtime,
          logger: captureLog().logger,
        })
        const view = await session({ headers: new Headers({ cookie: cookieHeader(browser) }) })
        const isCut = its.clock.now() >= notBefore.getTime() && !(isKnown && cutOff <= 0)
        if (isCut) expect(view.session).toBeNull()
        else expect(view.session).not.toBeNull()
      }),
      0.05,
    ),
  patience,
)
