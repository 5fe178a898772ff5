import { isStorable, sweepTable, UniqueViolation } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { SqlAdapter } from "./adapter.js"
import { type Opened, openedIn } from "./opened.js"
import type { Kind } from "./flavors/flavor.js"
import { keptStatements, keptTable, type Shape } from "./kept-table.js"
import { applyAdvice, type Column } from "./layouts/table-map.js"
import { runOnce } from "./migrate.js"
import { storable, type Subject } from "./queries.js"
import { columnOf, decoderOf, parameterOf, requireColumn, selection } from "./rows.js"

/** A row of the audit log. */
export interface AuditRow {
  /** At most 128 characters, in the order of time. A row whose id is there already isn't written again. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** At most 128 characters. */
  readonly name: string
  /** `null`: no user is known. */
  readonly userId: string | null
  /** What happened, as JSON. */
  readonly entry: string
}

/** Which rows to find. */
export interface AuditFilter {
  readonly userId?: string | undefined
  readonly name?: string | undefined
  /** At this time or later. Milliseconds since 1970. */
  readonly from?: number | undefined
  /** Before this time. Milliseconds since 1970. */
  readonly to?: number | undefined
  /** An id: rows that are older than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** The table `latchkey_audit`. */
export interface AuditTable {
  /** Writes rows that aren't there yet. It needs no other right than to insert. */
  append(rows: readonly AuditRow[]): Promise<void>
  /** The newest first. */
  find(filter: AuditFilter): Promise<readonly AuditRow[]>
  /** Deletes rows that are older, in batches. @returns how many */
  purge(before: Date): Promise<number>
  /** Returns the SQL statements that create the table and its indexes, unless it exists. */
  plan(): Promise<readonly string[]>
  /** Creates this table only. `migrate()` of the adapter creates it too. */
  migrate(): Promise<void>
}

const kinds: Readonly<Record<keyof AuditRow, Kind>> = {
  id: "shortKey",
  at: "number",
  name: "shortKey",
  userId: "key",
  entry: "text",
}

/** D1 has at most 100 parameters in a statement. */
const rowsPerStatement = 20

/**
 * Opens the table of an audit log in the database of an adapter. From then on, `plan()` and `migrate()` of the adapter include it.
 * Most applications call `sql(adapter)` of `@latchkey/audit/sql` instead.
 *
 * @throws TypeError if the adapter isn't one of this package
 * @example
 * ```ts
 * import { auditTable } from "@latchkey/sql/audit"
 * import { postgres } from "@latchkey/sql/postgres"
 * const table = auditTable(postgres("postgres://app@localhost/app"))
 * const statements = await table.plan()
 * ```
 */
export function auditTable(adapter: SqlAdapter): AuditTable {
  const opened = openedIn(adapter)
  const { database, store } = opened
  const { db, flavor, autoMigrate } = database
  const table = keptTable(flavor, shapeOf(opened))
  const subject: Subject = { executor: store, map: table.map }
  const statements = async () => {
    if (await table.exists(store)) return []
    const types = await flavor.columnTypes(db)
    return keptStatements({ db, flavor, types }, shapeOf(opened)).map((statement) => statement.compile())
  }
  const migrate = async () => {
    for (const statement of await statements()) await runOnce(db, statement)
  }
  const ready = async () => {
    if (await table.exists(store)) return
    const cause = autoMigrate ? await migrate().catch((error: unknown) => error) : undefined
    // Another process may have created it at the same time.
    if (await table.exists(store)) return
    throw new Error(`The database has no table ${table.map.name}. ${applyAdvice}`, { cause })
  }
  database.additional.push(statements)
  return {
    async append(rows) {
      await ready()
      for (let start = 0; start < rows.length; start += rowsPerStatement)
        await insert(subject, rows.slice(start, start + rowsPerStatement))
    },
    async find(filter) {
      await ready()
      return find(subject, filter)
    },
    async purge(before) {
      await ready()
      return purge(subject, before)
    },
    plan: async () => (await statements()).map(({ sql: text }) => text),
    migrate,
  }
}

function shapeOf({ database: { flavor, names } }: Opened): Shape {
  // An index of InnoDB ends with the primary key, and couldn't have more bytes than the user.
  const rest = flavor.name === "mysql" ? [] : ["id"]
  return {
    name: `${names.prefix}latchkey_audit`,
    kinds,
    optional: ["userId"],
    key: ["id"],
    indexes: { userId: ["userId", ...rest], at: ["at"] },
  }
}

/** MySQL can't skip a row whose id is taken without ignoring other errors, so the rows are written one by one then. */
async function insert({ executor, map }: Subject, rows: readonly AuditRow[]): Promise<void> {
  const { flavor, statements } = executor
  const build = () => {
    const values = sql`(${sql.join(map.columns.map(() => sql`${""}`))})`
    const names = map.columns.map(({ name }) => sql.id(name))
    return sql`insert into ${sql.id(map.name)} (${sql.join(names)}) values ${sql.join(rows.map(() => values))}${flavor.skipTaken}`
  }
  const parameters = storable(rows.flatMap((row) => map.columns.map((column) => valueIn(row, column))))
  try {
    await executor.run(statements.query(`audit ${rows.length}`, build, parameters), map)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    if (rows.length > 1) for (const row of rows) await insert({ executor, map }, [row])
  }
}

/** A user whose id no user in this database can have is only in the entry. */
function valueIn(row: AuditRow, column: Column): unknown {
  const value = row[column.field as keyof AuditRow]
  const isPossible = column.field !== "userId" || (column.storage.holds(value) && isStorable(value))
  return isPossible ? parameterOf({ column, value }) : null
}

async function find({ executor, map }: Subject, filter: AuditFilter): Promise<readonly AuditRow[]> {
  const { userId, name, from, to, before, limit } = filter
  if (![userId, name, before].every(isStorable)) return []
  const column = (field: keyof AuditRow) => columnOf(map, field)
  const given = [
    { value: userId, term: sql`${column("userId")} = ${""}` },
    { value: name, term: sql`${column("name")} = ${""}` },
    { value: from, term: sql`${column("at")} >= ${0}` },
    { value: to, term: sql`${column("at")} < ${0}` },
    { value: before, term: sql`${column("id")} < ${""}` },
  ].map((each, index) => ({ ...each, index }))
  const used = given.filter(({ value }) => value !== undefined)
  const where =
    used.length === 0
      ? sql``
      : sql` where ${sql.join(
          used.map(({ term }) => term),
          sql` and `,
        )}`
  const build = () =>
    sql`select ${selection(map)} from ${sql.id(map.name)}${where} order by ${column("id")} desc limit ${0}`
  const parameters = storable([...used.map(({ value }) => value), limit])
  const key = `audit page ${used.map(({ index }) => index).join()}`
  const { rows } = await executor.run(executor.statements.query(key, build, parameters), map)
  const decode = decoderOf(map)
  // The table has a column for each field.
  return rows.map((row) => decode(Object(row)) as unknown as AuditRow)
}

/** Each batch is a statement of its own, so it locks few rows for a short time. */
async function purge({ executor, map }: Subject, before: Date): Promise<number> {
  const { flavor, statements } = executor
  const at = columnOf(map, "at")
  const build = () =>
    flavor.deleteBatch(
      {
        table: sql.id(map.name),
        keys: [columnOf(map, "id")],
        expires: at,
        before: sql`${0}`,
        after: sql`${0}`,
        limit: sql`${0}`,
      },
      requireColumn(map.columns, "at").storage.read(at),
    )
  let after = 0
  const deleteBatch = async (batchSize: number) => {
    const to = before.getTime()
    const parameters = flavor.returning ? [after, to, batchSize, to] : [after, to, batchSize]
    const { rows, numAffectedRows } = await executor.run(statements.query("audit purge", build, parameters), map)
    const found = flavor.returning ? rows.length : Number(numAffectedRows ?? 0)
    after = rows.reduce((most: number, row) => Math.max(most, Number(Object(row).expired)), after)
    return { found, deleted: found }
  }
  return sweepTable({ name: map.name, deleteBatch }, {})
}
