import { type SweepOptions, type Swept, sweepTable } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Sql } from "./flavors/sql.js"
import { toDate } from "./flavors/storage.js"
import type { TableMap } from "./layouts/table-map.js"
import { columnOf, requireColumn } from "./rows.js"
import type { Store } from "./store.js"

/** Deletes expired rows in batches. Each is a statement of its own, so it locks few rows for a short time. */
export async function sweep(store: Store, options: SweepOptions = {}): Promise<Swept> {
  const { before = new Date(), batchSize = 1000 } = options
  if (!Number.isInteger(batchSize) || batchSize < 1) throw new RangeError("`batchSize` must be a positive integer.")
  const { records } = store
  const { sessions, verificationTokens, rateLimits } = (await store.tables()).layout.tables
  return {
    sessions: await sweepRows(store, { map: sessions, field: "expires", before }, options),
    verificationTokens: await sweepRows(store, { map: verificationTokens, field: "expires", before }, options),
    rateLimits: await sweepRows(store, { map: rateLimits, field: "resets", before }, options),
    records: (await records.exists(store))
      ? await sweepRows(store, { map: records.map, field: "expiresAt", before }, options)
      : 0,
  }
}

interface Expiry {
  readonly map: TableMap
  readonly field: "expires" | "resets" | "expiresAt"
  readonly before: Date
}

async function sweepRows(store: Store, expiry: Expiry, options: SweepOptions): Promise<number> {
  const { name, missing } = expiry.map
  if (missing !== undefined) return 0
  let after = earliest
  const deleteBatch = async (batchSize: number) => {
    const { rows, last } = await deleteRows(store, expiry, { after, batchSize })
    // Otherwise, each batch would pass the index entries of all earlier ones, which stay until the next vacuum.
    after = last
    return { found: rows, deleted: rows }
  }
  return sweepTable({ name, deleteBatch }, options)
}

/** The first date of every database. */
const earliest = new Date("1000-01-01T00:00:00Z")

interface Range {
  readonly after: Date
  readonly batchSize: number
}

async function deleteRows(
  store: Store,
  { map, field, before }: Expiry,
  { after, batchSize }: Range,
): Promise<{ readonly rows: number; readonly last: Date }> {
  const { flavor, statements } = store
  const { storage } = requireColumn(map.columns, field)
  const encode = (date: Date) => storage.encode(field === "resets" ? date.getTime() : date)
  const build = () => batchStatement(store, { map, field, before })
  const [from, to] = [encode(after), encode(before)]
  const parameters = flavor.returning ? [from, to, batchSize, to] : [from, to, batchSize]
  const result = await store.run(statements.query(`sweep ${map.name}`, build, parameters), map)
  if (!flavor.returning) return { rows: Number(result.numAffectedRows ?? 0), last: after }
  const times = result.rows.map((row) => toDate(storage.decode(Object(row).expired)).getTime())
  return { rows: times.length, last: new Date(times.reduce((most, time) => Math.max(most, time), after.getTime())) }
}

function batchStatement({ flavor }: Store, { map, field }: Expiry): Sql {
  const { storage } = requireColumn(map.columns, field)
  const expires = columnOf(map, field)
  const bound = storage.write(sql`${""}`)
  const batch = {
    table: sql.id(map.name),
    keys: keyOf(map).map((name) => columnOf(map, name)),
    expires,
    before: bound,
    after: bound,
    limit: sql`${0}`,
  }
  return flavor.deleteBatch(batch, storage.read(expires))
}

function keyOf({ columns }: TableMap): readonly string[] {
  const keys = [["sessionToken"], ["identifier", "token"], ["kind", "key"], ["key"]]
  return keys.find((fields) => fields.every((field) => columns.some((column) => column.field === field))) ?? []
}
