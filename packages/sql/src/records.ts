import {
  assertBatch,
  checkedWrites,
  indexEntry,
  inLockOrder,
  type NewRecord,
  pageOf,
  type RecordIndex,
  type RecordStore,
  type RecordWrite,
  type StoredRecord,
  UniqueViolation,
  writeAllOrNone,
} from "@latchkey/core/adapters"
import { type CompiledQuery, sql } from "kysely"
import type { Database } from "./database.js"
import type { RunBatch } from "./dialect.js"
import { codeOf } from "./failures.js"
import { ownLayout } from "./layouts/own.js"
import { applyAdvice, type TableMap } from "./layouts/table-map.js"
import { runOnce } from "./migrate.js"
import { type Executor, storable } from "./queries.js"
import { recordsStatements } from "./records-table.js"
import { canMatch, columnOf, decoderOf, keysOf, parameterOf, selection } from "./rows.js"
import { createStore, type Store } from "./store.js"
import { createTable } from "./table.js"

/** Where modules keep their data, in the table `latchkey_records`. It can be used without the other tables of the adapter. */
export interface SqlRecordStore extends RecordStore {
  /** Returns the SQL statements that create the table and its indexes. */
  plan(): Promise<readonly string[]>
  /** Creates this table only. `migrate()` of the adapter creates it too. */
  migrate(): Promise<void>
}

export function createRecordStore(database: Database, records: Store["records"]): SqlRecordStore {
  const { db, flavor, names, runBatch } = database
  const { map } = records
  const store = createStore({ ...database, records, layout: async () => ownLayout(flavor, names) })
  const statements = async () => recordsStatements({ db, flavor, names, types: await flavor.columnTypes(db) })
  const migrate = async () => {
    for (const statement of await statements()) await runOnce(db, statement.compile())
  }
  const ready = async (): Promise<Store> => {
    if (!(await records.exists(store))) await create()
    return store
  }
  const create = async () => {
    const cause = database.autoMigrate ? await migrate().catch((error: unknown) => error) : undefined
    // Another process may have created it at the same time.
    if (await records.exists(store)) return
    throw new Error(`The database has no table ${map.name}. ${applyAdvice}`, { cause })
  }
  return {
    ...recordMethods(map, ready, runBatch),
    plan: async () => (await statements()).map((statement) => statement.compile().sql),
    migrate,
  }
}

/** @param ready returns the database or the transaction, which has the table */
export function recordMethods(map: TableMap, ready: () => Promise<Store>, runBatch?: RunBatch): RecordStore {
  const table = async () => createTable<StoredRecord>(await ready(), map)
  return {
    ...checkedWrites({
      get: async (kind, key) => (await (await table()).find({ kind, key }))[0] ?? null,
      write: async (write, now) => runWrite(await ready(), map, { write, now }),
    }),
    atomic: "global",
    find: async (kind, index, page) => findPage(await ready(), map, { kind, index, ...page }),
    list: async (kind, page) => findPage(await ready(), map, { kind, ...page }),
    take: async (kind, key) => (await (await table()).remove({ kind, key }))[0] ?? null,
    remove: async (kind, key) => (await table()).clear({ kind, key }),
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      const timed = inLockOrder(writes).map((write) => ({ write, now, owner }))
      return runBatch ? batchAtOnce(await ready(), map, timed, runBatch) : batchStepwise(await ready(), map, timed)
    },
    removeOwned: async (owner) => (await table()).clear({ owner }),
  }
}

/** @param owner if it's part of a batch */
interface TimedWrite {
  readonly write: RecordWrite
  readonly now: Date
  readonly owner?: string | undefined
}

/** Statements of which the last one has to change a row if `isConditional`. */
interface Statements {
  readonly queries: readonly CompiledQuery[]
  readonly isConditional: boolean
}

async function runWrite(executor: Executor, map: TableMap, timed: TimedWrite): Promise<boolean> {
  const { queries, isConditional } = statementsOf(executor, map, timed)
  let isChanged = false
  try {
    for (const query of queries) {
      const { rows, numAffectedRows } = await executor.run(query, map)
      isChanged = executor.flavor.returning ? rows.length > 0 : numAffectedRows !== 0n
    }
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
  return isChanged || !isConditional
}

async function batchStepwise(store: Store, map: TableMap, writes: readonly TimedWrite[]): Promise<boolean> {
  return writeAllOrNone<TimedWrite, Store>(writes, store.transact, (timed, inside) => runWrite(inside, map, timed))
}

/** D1 has no interactive transactions, so a statement that fails after one without effect rolls back the batch. */
async function batchAtOnce(
  executor: Executor,
  map: TableMap,
  writes: readonly TimedWrite[],
  runBatch: RunBatch,
): Promise<boolean> {
  const build = () => sql`insert into ${sql.id(map.name)} (kind) select null where changes() = 0`
  const requireChange = executor.statements.query("require change", build, [])
  const queries = writes.flatMap((timed) => {
    const statements = statementsOf(executor, map, timed)
    return statements.isConditional ? [...statements.queries, requireChange] : statements.queries
  })
  try {
    if (queries.length > 0) await runBatch(queries)
    return true
  } catch (error) {
    if (error instanceof Error && codeOf(error) === "SQLITE_CONSTRAINT_NOTNULL") return false
    throw error
  }
}

function statementsOf(executor: Executor, map: TableMap, { write, now, owner }: TimedWrite): Statements {
  const subject = { executor, map }
  switch (write.write) {
    case "insert":
      return {
        queries: [deleteExpired(subject, write.record, now), insert(subject, write.record)],
        isConditional: true,
      }
    case "swap":
      return { queries: [swap(subject, write.record, { now, owner })], isConditional: true }
    case "remove":
      return { queries: [remove(subject, write, owner)], isConditional: false }
  }
}

interface Subject {
  readonly executor: Executor
  readonly map: TableMap
}

function deleteExpired({ executor, map }: Subject, { kind, key }: NewRecord, now: Date): CompiledQuery {
  const build = () =>
    sql`delete from ${sql.id(map.name)} where ${isRecord(map)} and ${columnOf(map, "expiresAt")} <= ${0}`
  return executor.statements.query("delete expired", build, storable([kind, key, now.getTime()]))
}

function insert({ executor, map }: Subject, record: NewRecord): CompiledQuery {
  const { flavor } = executor
  const build = () => sql`insert into ${sql.id(map.name)} (${sql.join(map.columns.map(({ name }) => sql.id(name)))})
    values (${sql.join(map.columns.map(() => sql`${""}`))})${flavor.skipTaken}${returning(executor)}`
  return executor.statements.query("insert", build, valuesOf(map, { ...record, version: 1 }))
}

function swap(
  { executor, map }: Subject,
  record: StoredRecord,
  { now, owner }: Pick<TimedWrite, "now" | "owner">,
): CompiledQuery {
  const { version, kind, key, ...changes } = record
  const changed = map.columns.filter(({ field }) => Object.hasOwn(changes, field))
  const build = () => sql`update ${sql.id(map.name)}
    set ${sql.join(changed.map(({ name }) => sql`${sql.id(name)} = ${""}`))}, version = version + 1
    where ${isRecord(map)} and version = ${0} and (expires_at is null or expires_at > ${0})${isOwned(owner)}${returning(executor)}`
  const parameters = [...valuesOf({ ...map, columns: changed }, record), kind, key, version, now.getTime()]
  return executor.statements.query(`swap ${owner === undefined}`, build, withOwner(parameters, owner))
}

function remove(
  { executor, map }: Subject,
  { kind, key }: Pick<StoredRecord, "kind" | "key">,
  owner?: string,
): CompiledQuery {
  const build = () => sql`delete from ${sql.id(map.name)} where ${isRecord(map)}${isOwned(owner)}`
  return executor.statements.query(`remove ${owner === undefined}`, build, withOwner([kind, key], owner))
}

interface Page {
  readonly kind: string
  readonly limit: number
  readonly after?: string
  /** @default every record of the kind */
  readonly index?: RecordIndex
}

async function findPage(executor: Executor, map: TableMap, { kind, limit, after, index }: Page) {
  if (!canMatch(keysOf(map, { kind, ...index }))) return { records: [] }
  const [field, ...values] = index === undefined ? [] : indexEntry(index)
  const build = () => sql`select ${selection(map)} from ${sql.id(map.name)}
    where ${columnOf(map, "kind")} = ${""}${field === undefined ? sql`` : sql` and ${columnOf(map, field)} = ${""}`}${after === undefined ? sql`` : sql` and ${columnOf(map, "key")} > ${""}`}
    order by ${columnOf(map, "key")} limit ${0}`
  const parameters = [kind, ...values, ...(after === undefined ? [] : [after]), limit + 1]
  const query = executor.statements.query(`page ${field} ${after === undefined}`, build, parameters)
  const decode = decoderOf(map)
  const { rows } = await executor.run(query, map)
  // The table has a column for each field.
  return pageOf(
    rows.map((row) => decode(Object(row)) as unknown as StoredRecord),
    limit,
  )
}

const isRecord = (map: TableMap) => sql`${columnOf(map, "kind")} = ${""} and ${columnOf(map, "key")} = ${""}`
const isOwned = (owner: string | undefined) => (owner === undefined ? sql`` : sql` and owner = ${""}`)
const returning = ({ flavor }: Executor) => (flavor.returning ? sql` returning 1 as changed` : sql``)

function withOwner(parameters: readonly unknown[], owner: string | undefined): readonly unknown[] {
  return storable(owner === undefined ? parameters : [...parameters, owner])
}

function valuesOf({ columns }: TableMap, record: StoredRecord): readonly unknown[] {
  const fields = new Map<string, unknown>(Object.entries(record))
  return storable(columns.map((column) => parameterOf({ column, value: fields.get(column.field) ?? null })))
}
