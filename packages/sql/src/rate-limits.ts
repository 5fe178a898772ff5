import { memoryRateLimitStore } from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { sql } from "kysely"
import type { Upsert } from "./flavors/flavor.js"
import type { TableMap } from "./layouts/table-map.js"
import { columnOf, requireColumn } from "./rows.js"
import type { Store } from "./store.js"

/** Counts attempts in a table. `take` locks the row, so parallel calls can't exceed the limit. */
export function createRateLimitStore(store: Store): Required<RateLimitStore> {
  /** For tables of a published adapter, until a migration adds the table. */
  const memory = memoryRateLimitStore(() => Date.now())
  const isMissing = async () => (await store.tables()).layout.tables.rateLimits.missing !== undefined
  return {
    async take(key, limit) {
      if (await isMissing()) return memory.take(key, limit)
      const { points, seconds } = limit
      const now = Date.now()
      const row = await takePoint(store, { key, points, now, end: now + seconds * 1000 })
      return { allowed: Number(row["refused"]) === 0, retryAfter: Math.max(0, Number(row["resets"]) - now) / 1000 }
    },
    async giveBack(key, seconds) {
      if (await isMissing()) return memory.giveBack(key, seconds)
      const { rateLimits: map } = (await store.tables()).layout.tables
      const [id, taken, resets] = ["key", "points", "resets"].map((field) => columnOf(map, field))
      const build =
        () => sql`update ${sql.id(map.name)} set ${sql.id(requireColumn(map.columns, "points").name)} = ${taken} - 1
        where ${id} = ${""} and ${taken} > 0 and ${resets} > ${0}`
      await store.run(store.statements.query("give back", build, [key, Date.now()]), map)
    },
  }
}

interface Attempt {
  readonly key: string
  readonly points: number
  readonly now: number
  /** When a window that starts now ends. */
  readonly end: number
}

async function takePoint(store: Store, attempt: Attempt): Promise<Record<string, unknown>> {
  const { layout } = await store.tables()
  const map = layout.tables.rateLimits
  const { key, points, now, end } = attempt
  const parameters = [key, end, now, points, now, points, now, end]
  const query = store.statements.query("take", () => store.flavor.upsert(upsertOf(map)), parameters)
  if (store.flavor.returning) return one((await store.run(query, map)).rows)
  // The transaction holds the lock of the row, so the second statement reads what the first one wrote.
  return store.transact(async (inside) => {
    await inside.run(query, map)
    const build = () => sql`select ${columnOf(map, "refused")} as refused, ${columnOf(map, "resets")} as resets
      from ${sql.id(map.name)} where ${columnOf(map, "key")} = ${""}`
    return one((await inside.run(inside.statements.query("taken", build, [key]), map)).rows)
  })
}

function upsertOf(map: TableMap): Upsert {
  const name = (field: string) => sql.id(requireColumn(map.columns, field).name)
  const [taken, resets] = [columnOf(map, "points"), columnOf(map, "resets")]
  const slot = sql`${0}`
  return {
    insert: sql`insert into ${sql.id(map.name)} (${name("key")}, ${name("points")}, ${name("refused")}, ${name("resets")})
      values (${""}, 1, 0, ${slot})`,
    key: name("key"),
    changes: [
      sql`${name("refused")} = case when ${resets} > ${slot} and ${taken} >= ${slot} then 1 else 0 end`,
      sql`${name("points")} = case when ${resets} <= ${slot} then 1 when ${taken} >= ${slot} then ${taken} else ${taken} + 1 end`,
      sql`${name("resets")} = case when ${resets} <= ${slot} then ${slot} else ${resets} end`,
    ],
    returning: [sql`${columnOf(map, "refused")} as refused`, sql`${columnOf(map, "resets")} as resets`],
  }
}

function one([row]: readonly unknown[]): Record<string, unknown> {
  if (row === undefined) throw new Error("The database returned no row. Use one that supports RETURNING.")
  return Object(row)
}
