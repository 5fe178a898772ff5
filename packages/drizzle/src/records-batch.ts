import { assertStorable, type NewRecord, type RecordWrite } from "@latchkey/core/adapters"
import { or, sql } from "drizzle-orm"
import { matching } from "./conditions.js"
import { columnOf, isCurrent, type RecordBatch, rowOf } from "./record-rows.js"
import type { Store } from "./store.js"
import type { Model } from "./tables.js"

/**
 * A batch as one statement, for SQLite without transactions that wait. It stores all records if all conditions hold. A record that it
 * removes is stored as one that expired long ago, and is deleted afterwards.
 */
export async function batchAtOnce(store: Store, model: Model, batch: RecordBatch): Promise<boolean> {
  const { owner, writes } = batch
  const removed = writes.filter((each) => each.write === "remove")
  if (removed.length === writes.length) {
    const all = or(...removed.map(({ kind, key }) => matching("sqlite", model.columns, { kind, key, owner })))
    if (all) await store.removeWhere(model, all)
    return true
  }
  if (!(await storeAll(store, model, batch))) return false
  if (removed.length > 0) await store.remove(model, { owner, expiresAt: longAgo.getTime() })
  return true
}

const longAgo = new Date(-8.64e15)

const fields = ["kind", "key", "owner", "index1", "index2", "data", "version", "expiresAt"] as const

/** The writes are one parameter, because D1 allows 100. */
async function storeAll({ write, all }: Store, model: Model, { owner, writes, now }: RecordBatch): Promise<boolean> {
  const names = fields.map((field) => sql.identifier(columnOf(model, field).name))
  const [kind, key, version, ownerColumn] = (["kind", "key", "version", "owner"] as const).map((field) =>
    columnOf(model, field),
  )
  const read = [...fields, "write", "before"].map((field) => {
    const path = sql.raw(`'$.${field}'`)
    return sql`json_extract(value, ${path}) as ${sql.identifier(field)}`
  })
  const changes = names.map((name) => sql`${name} = excluded.${name}`)
  const isThere = sql`(${kind} is not null and ${isCurrent(model, now)})`
  const isOwned = sql`${ownerColumn} = ${owner}`
  const found = sql`${model.table} on ${kind} = writes."kind" and ${key} = writes."key"`
  const statement = sql`with writes as (select ${sql.join(read, sql`, `)} from json_each(${jsonOf(writes, owner)}))
    insert into ${model.table} (${sql.join(names, sql`, `)})
    select ${sql.join(
      fields.map((field) => sql`writes.${sql.identifier(field)}`),
      sql`, `,
    )} from writes left join ${found}
    where (writes."write" <> 'remove' or ${isOwned}) and not exists (select 1 from writes left join ${found}
      where (writes."write" = 'insert' and ${isThere})
      or (writes."write" = 'swap' and not coalesce(${isThere} and ${isOwned} and ${version} = writes."before", false)))
    on conflict do update set ${sql.join(changes, sql`, `)} returning 1 as stored`
  return (await write(async () => all(statement))).length > 0
}

function jsonOf(writes: readonly RecordWrite[], owner: string): string {
  return JSON.stringify(
    writes.map((each) => {
      const row = rowOf(storedBy(each, owner))
      for (const value of Object.values(row)) assertStorable(value)
      return { ...row, write: each.write, before: each.write === "swap" ? each.record.version : null }
    }),
  )
}

function storedBy(each: RecordWrite, owner: string) {
  if (each.write === "insert") return { ...each.record, version: 1 }
  if (each.write === "swap") return { ...each.record, version: each.record.version + 1 }
  const { kind, key } = each
  const removed: NewRecord = { kind, key, owner, index1: null, index2: null, data: "null", expiresAt: longAgo }
  return { ...removed, version: 0 }
}
