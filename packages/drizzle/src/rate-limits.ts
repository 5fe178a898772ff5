import type { RateLimit, RateLimitStore } from "@latchkey/core/types"
import { type Column, sql } from "drizzle-orm"
import { matching } from "./conditions.js"
import type { Row } from "./database.js"
import type { Store } from "./store.js"
import type { Model } from "./tables.js"

type Taken = Awaited<ReturnType<RateLimitStore["take"]>>

/** Counts attempts in a table. `take` locks the row, so parallel calls can't exceed the limit. */
export function createRateLimitStore(store: Store, model: Model): Required<RateLimitStore> {
  const { db, dialect, write } = store
  const columns = columnsOf(model)
  return {
    take: (key, limit) =>
      dialect === "mysql" ? takeInSteps(store, model, key, limit) : takeAtOnce(store, model, key, limit),
    giveBack: async (key) => {
      const condition = matching(dialect, model.columns, { key })
      if (condition === undefined) return
      const { points, resets } = columns
      const change = db.update(model.table).set({ points: sql`${points} - 1` })
      const isRunning = sql`${condition} and ${points} > 0 and ${resets} > ${Date.now()}`
      await write(() => change.where(isRunning))
    },
  }
}

function columnsOf({ columns }: Model): Record<"key" | "points" | "resets", Column> {
  const { key, points, resets } = columns
  if (!key || !points || !resets) throw new Error("The table of `rateLimits` lacks columns. Pass the whole table.")
  return { key, points, resets }
}

/** A single statement. */
async function takeAtOnce({ db, write }: Store, model: Model, id: string, limit: RateLimit): Promise<Taken> {
  const now = Date.now()
  const end = now + limit.seconds * 1000
  const { key, points, resets } = columnsOf(model)
  const set = {
    points: sql`case when ${resets} <= ${now} then 1 when ${points} >= ${limit.points} then ${points} else ${points} + 1 end`,
    refused: sql`case when ${resets} > ${now} and ${points} >= ${limit.points} then 1 else 0 end`,
    resets: sql`case when ${resets} <= ${now} then ${end} else ${resets} end`,
  }
  const insert = db.insert(model.table).values({ key: id, points: 1, refused: 0, resets: end })
  const [row] = await write(() => insert.onConflictDoUpdate({ target: key, set }).returning())
  return resultOf(row, now)
}

/** MySQL can't return what it wrote, so this reads and writes in a transaction. Its first statement locks the row. */
async function takeInSteps(store: Store, model: Model, key: string, limit: RateLimit): Promise<Taken> {
  const now = Date.now()
  return store.transact(async ({ db, find, update, write }) => {
    const none = { key, points: 0, refused: 0, resets: 0 }
    await write(() => db.insert(model.table).values(none).onDuplicateKeyUpdate({ set: { key } }))
    const [{ points = 0, resets = 0 } = {}] = await find(model, { key })
    const isOver = Number(resets) <= now
    const used = isOver ? 0 : Number(points)
    const isRefused = used >= limit.points
    const changes = {
      points: isRefused ? used : used + 1,
      refused: Number(isRefused),
      resets: isOver ? now + limit.seconds * 1000 : Number(resets),
    }
    return resultOf(await update(model, { key }, changes), now)
  })
}

function resultOf(row: Row | undefined, now: number): Taken {
  if (row === undefined) throw new Error("The database returned no row. Check its triggers and policies.")
  return { allowed: Number(row["refused"]) === 0, retryAfter: Math.max(0, Number(row["resets"]) - now) / 1000 }
}
