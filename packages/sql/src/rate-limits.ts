import type { RateLimitStore } from "@latchkey/core/types"
import { sql } from "kysely"
import type { Store } from "./store.js"

/**
 * Counts attempts in a table. A take is one statement: the row is locked from the moment it is looked at, so that of many
 * in parallel no more succeed than there are points.
 */
export function rateLimitsOver({ db, write }: Store): Required<RateLimitStore> {
  return {
    async take(key, { points, seconds }) {
      const at = Date.now()
      const ends = at + seconds * 1000
      const query = db
        .insertInto("rate_limits")
        .values({ key, points: 1, refused: 0, resets: ends })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet(({ ref }) => {
            const [taken, resets] = [ref("rate_limits.points"), ref("rate_limits.resets")]
            return {
              points: sql`case when ${resets} <= ${at} then 1 when ${taken} >= ${points} then ${taken} else ${taken} + 1 end`,
              refused: sql`case when ${resets} > ${at} and ${taken} >= ${points} then 1 else 0 end`,
              resets: sql`case when ${resets} <= ${at} then ${ends} else ${resets} end`,
            }
          }),
        )
        .returning(["refused", "resets"])
      const [row] = await write(query)
      if (row === undefined) throw new Error("The database returned no row: it must know RETURNING")
      return { allowed: row.refused === 0, retryAfter: Math.max(0, Number(row.resets) - at) / 1000 }
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
