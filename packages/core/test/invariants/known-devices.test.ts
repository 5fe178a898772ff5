import fc from "fast-check"
import { expect, test } from "vitest"
import { holds, patience } from "../fuzz/holds.js"
import { proxied, site, type Site } from "../limits/setup.js"

const owner = { from: "192.0.2.1" }

/** A request of an attacker, who knows the owner's name and may share the owner's address. */
interface Guess {
  readonly from: string | undefined
  readonly spelling: string
  readonly waits: number
}

const guess: fc.Arbitrary<Guess> = fc.record({
  from: fc.oneof(
    fc.constantFrom(undefined, owner.from),
    fc.nat(255).map((last) => `203.0.113.${last}`),
  ),
  spelling: fc.constantFrom("owner", "OWNER", "öwner", " owner"),
  waits: fc.constantFrom(0, 0, 0, 1, 60),
})

async function deviceOf(its: Site): Promise<Record<string, string>> {
  const { headers } = await its.tryPassword("owner", "open", owner)
  const line = headers.getSetCookie().find((each) => each.startsWith("__Host-authjs.device=")) ?? ""
  return { cookie: line.split(";")[0] ?? "" }
}

test(
  "whatever others attempt, the owner signs in on a known device",
  () =>
    holds(
      fc.asyncProperty(
        fc.array(guess, { maxLength: 80, size: "max" }),
        fc.constantFrom("compatible" as const, "strict" as const),
        async (guesses, mode) => {
          const its = site(proxied, mode)
          const headers = await deviceOf(its)
          for (const { from, spelling, waits } of guesses) {
            await its.tryPassword(spelling, "guess", from === undefined ? {} : { from })
            its.clock.advance({ seconds: waits })
          }
          const answer = await its.tryPassword("owner", "open", { ...owner, headers })
          expect(answer.headers.get("location")).toBe("https://app.test")
        },
      ),
      0.02,
    ),
  patience,
)

test(
  "successful sign-ins between guesses give an attacker no further guesses",
  () =>
    holds(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 60, maxLength: 160, size: "max" }), async (turns) => {
        const its = site(proxied)
        const attacker = { from: "203.0.113.9" }
        let guesses = 0
        for (const [at, isOwn] of turns.entries()) {
          if (isOwn) await its.tryPassword("attacker", "open", attacker)
          else guesses += (await its.tryPassword(`user ${at}`, "guess", attacker)).status === 429 ? 0 : 1
        }
        expect(guesses).toBeLessThanOrEqual(50)
      }),
      0.02,
    ),
  patience,
)
