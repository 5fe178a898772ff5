import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { strategies } from "../attacks/session-setup.js"
import { holds, patience } from "../fuzz/holds.js"
import { appOf, hardened, strongSecret, world } from "../modes/setup.js"

const own = "__Host-authjs.session-token"
const ended = "__Host-authjs.ended"
const former = "__Secure-authjs.session-token"

/** Names that a sibling domain can set. */
const version4 = "__Secure-next-auth.session-token"
const plantable = [former, `${former}.0`, `${former}.1`, "authjs.session-token", version4]

const ways = hardened("sessionCookiePrefix", "__Host-").flatMap(([, security]) =>
  strategies.map((strategy) => ({ security, session: { strategy } })),
)

test.each(ways)(
  "no cookie of a sibling domain becomes a session, unless it's the only one from before the switch: %j",
  async (settings) => {
    const its = world()
    const sessionOf = async (rest: Partial<AuthConfig>, as: "ada" | "grace", name: string) => {
      const browser = await appOf(its, rest)
      await browser.signInWith(its.op, { as })
      return browser.cookies.find((cookie) => cookie.name === name)?.value ?? ""
    }
    const mine = await sessionOf(settings, "ada", own)
    const issued = await sessionOf(settings, "grace", own)
    const before = await sessionOf({ session: settings.session }, "grace", former)
    const { readOnly, session } = {
      readOnly: true,
      session: createServer({
        ...settings,
        secret: strongSecret,
        url: "https://app.test/auth",
        adapter: its.adapter,
        providers: [],
        runtime: its.clock.runtime,
        logger: captureLog().logger,
      } satisfies AuthConfig).session,
    }
    const planted = fc.tuple(
      fc.constantFrom(former, ...plantable),
      fc.constantFrom(issued, issued, before, before, issued.slice(0, 20), issued.slice(20), "", "x"),
    )
    const headers = fc.tuple(
      fc.array(planted, { maxLength: 4 }),
      fc.constantFrom<readonly string[]>([], [`${own}=${mine}`], [`${own}=x`], [`${ended}=1`]),
      fc.boolean(),
    )
    await holds(
      fc.asyncProperty(headers, async ([pairs, bound, first]) => {
        const set = pairs.map((pair) => pair.join("="))
        const cookie = (first ? [...bound, ...set] : [...set, ...bound]).join("; ")
        const view = await session({ headers: new Headers({ cookie }) }, { readOnly })
        const email = view.session?.user?.email
        if (bound.length > 0) {
          const isMine = bound[0] === `${own}=${mine}`
          expect(email, cookie).toBe(isMine ? "ada@example.test" : undefined)
        } else if (!isOnlyFormer(pairs, before)) expect(email, cookie).toBeUndefined()
      }),
      0.25,
    )
  },
  patience,
)

/**
 * Whether no cookie of the former name differs from the session from before. In the database, that session looks like one of
 * version 4.
 */
function isOnlyFormer(pairs: readonly (readonly [string, string])[], before: string): boolean {
  const names = [former, `${former}.0`, version4]
  const values = pairs.filter(([name]) => names.includes(name)).map(([, value]) => value)
  return values.includes(before) && pairs.every(([name, value]) => name !== former || value === before || value === "")
}
