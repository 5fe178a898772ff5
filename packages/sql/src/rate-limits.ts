import type { RateLimitStore } from "@latchkey/core/types"
import { sql } from "kysely"
import type { Store } from "./store.js"

/**
 * Counts attempts in a table. `take` is a single statement that locks the row, so parallel calls can't exceed the limit.
 */
export function createRateLimitStore({ db, write }: Store): Required<RateLimitStore> {
  return {
    async take(key, { points, seconds }) {
      const now = Date.now()
      const end = now + seconds * 1000
      const query = db
        .insertInto("rate_limits")
        .values({ key, points: 1, refused: 0, resets: end })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet(({ ref }) => {
            const [taken, resets] = [ref("rate_limits.points"), ref("rate_limits.resets")]
            return {
              points: sql`case when ${resets} <= ${now} then 1 when ${taken} >= ${points} then ${taken} else ${taken} + 1 end`,
              refused: sql`case when ${resets} > ${now} and ${taken} >= ${points} then 1 else 0 end`,
              resets: sql`case when ${resets} <= ${now} then ${end} else ${resets} end`,
            }
          }),
        )
        .returning(["refused", "resets"])
      const [row] = await write(query)
      if (row === undefined) throw new Error("The database returned no row. Use one that supports RETURNING.")
      return { allowed: row.refused === 0, retryAfter: Math.max(0, Number(row.resets) - now) / 1000 }
    },
    async giveBack(key) {
      const query = db
        .updateTable("rate_limits")
        .set(({ ref }) => ({ points: sql`${ref("points")} - 1` }))
        .where("key", "=", key)
        .where("points", ">", 0)
        .where("resets", ">", Date.now())
      await write(query)
    },
  }
}
