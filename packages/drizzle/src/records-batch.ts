import type { RecordWrite } from "@latchkey/core/adapters"
import { type SQL, sql } from "drizzle-orm"
import { matching } from "./conditions.js"
import { assertStorable } from "./columns.js"
import type { Row } from "./database.js"
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
  if (removed.length < writes.length && !(await storeAll(store, model, batch))) return false
  const [first, ...others] = removed.map((each) => isRecord(model, { ...each, owner }))
  if (first) await store.removeWhere(model, sql.join([first, ...others], sql` or `))
  return true
}

const longAgo = new Date(-8.64e15)

async function storeAll({ write, all }: Store, model: Model, { owner, writes, now }: RecordBatch): Promise<boolean> {
  const fields = Object.keys(model.columns)
  const names = fields.map((field) => sql.identifier(columnOf(model, field).name))
  const values = (row: Row) =>
    sql.join(
      fields.map((field) => {
        assertStorable(row[field])
        return sql`${row[field] ?? null}`
      }),
      sql`, `,
    )
  const rows = writes.map((each) => {
    if (each.write === "insert") return sql`select ${values(rowOf({ ...each.record, version: 1 }))}`
    if (each.write === "swap") return sql`select ${values(rowOf({ ...each.record, version: each.record.version + 1 }))}`
    const expired = fields.map((field) => (field === "expiresAt" ? sql`${longAgo.getTime()}` : columnOf(model, field)))
    return sql`select ${sql.join(expired, sql`, `)} from ${model.table} where ${isRecord(model, { ...each, owner })}`
  })
  const changes = names.map((name) => sql`${name} = excluded.${name}`)
  const conditions = writes.flatMap((each) => conditionOf(model, each, { owner, now }))
  const statement = sql`insert into ${model.table} (${sql.join(names, sql`, `)})
    select * from (${sql.join(rows, sql` union all `)}) where ${sql.join(conditions, sql` and `)}
    on conflict (kind, key) do update set ${sql.join(changes, sql`, `)} returning 1 as stored`
  return (await write(() => all(statement))).length > 0
}

function conditionOf(model: Model, each: RecordWrite, { owner, now }: Omit<RecordBatch, "writes">): SQL[] {
  if (each.write === "remove") return []
  const { kind, key } = each.record
  const found = (condition: SQL) =>
    sql`exists (select 1 from ${model.table} where ${condition} and ${isCurrent(model, now)})`
  if (each.write === "insert") return [sql`not ${found(isRecord(model, { kind, key }))}`]
  return [found(isRecord(model, { kind, key, owner, version: each.record.version }))]
}

function isRecord(model: Model, fields: Row): SQL {
  const wanted = ["kind", "key", "owner", "version"].filter((field) => fields[field] !== undefined)
  const key = Object.fromEntries(wanted.map((field) => [field, fields[field]]))
  return matching("sqlite", model.columns, key) ?? sql`false`
}
