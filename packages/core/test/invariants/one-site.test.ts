import fc from "fast-check"
import { expect, test } from "vitest"
import { holds, patience } from "../fuzz/holds.js"
import { perRequest, type Turn } from "../limits/per-request.js"

let sites = 0

const turn: fc.Arbitrary<Turn> = fc.record({
  host: fc.constantFrom("app.test", "APP.test", "a.app.test", "app.test:8443"),
  basePath: fc.oneof(
    fc.constantFrom("/auth", "/AUTH", "/auth/", "/api/auth"),
    fc.stringMatching(/^[a-z0-9-]{1,12}$/).map((tenant) => `/${tenant}/auth`),
  ),
  freshAdapter: fc.boolean(),
  reads: fc.integer({ min: 0, max: 5 }),
  through: fc.constantFrom("Auth" as const, "server" as const),
  listOfSecrets: fc.boolean(),
})

test(
  "whatever object, host or path a guess comes through, its site counts it",
  () =>
    holds(
      fc.asyncProperty(fc.array(turn, { minLength: 6, maxLength: 16 }), async (turns) => {
        const limits = { credentials: { identifier: { points: 1, seconds: 900 } } }
        const secret = `a-secret-of-this-site-only-${String(++sites).padStart(12, "0")}`
        const its = perRequest(secret, { rateLimit: { limits } })
        const statuses: number[] = []
        for (const each of turns) statuses.push(await its.guess(each))
        expect(its.checked()).toBe(1)
        expect(statuses.filter((status) => status !== 429)).toHaveLength(its.checked())
      }),
      0.05,
    ),
  patience,
)
