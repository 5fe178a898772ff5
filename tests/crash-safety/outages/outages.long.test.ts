import { describe, expect, test } from "vitest"
import { run } from "./run.js"

const none = { violations: [], isComplete: true }

describe("while processes are killed, and PostgreSQL and Redis end", () => {
  test.for(["sql", "redisCache", "redisSessions"] as const)(
    "no session is lost or comes back, and requests fail during outages only, with %s",
    { timeout: 180_000 },
    async (store, { skip }) => {
      const report = await run({ store, kills: 4, ends: 2, processes: 3, visitors: 8, say: () => {} })
      if (report === undefined) return skip("PostgreSQL or Redis isn't installed")
      const { violations, counts } = report
      // A run without sign-ins and sign-outs would find nothing.
      const isComplete = counts.signIns > 25 && counts.signOuts > 15 && counts.readsAfterSignOut > 50
      expect({ violations, isComplete }, report.lines.join("\n")).toEqual(none)
    },
  )
})
