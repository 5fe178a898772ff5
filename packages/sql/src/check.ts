import { sql } from "kysely"
import { hasDuplicates } from "./additions.js"
import type { Database } from "./database.js"
import type { Flavor } from "./flavors/flavor.js"
import { type Catalog, type CatalogTable, readCatalog } from "./layouts/catalog.js"
import { tableFields } from "./layouts/fields.js"
import { findLayout } from "./layouts/find.js"
import {
  applyAdvice,
  type Column,
  type Layout,
  type TableMap,
  type TableName,
  tableNames,
} from "./layouts/table-map.js"
import { pendingMigrations } from "./migrate.js"
import { type Denied, deniedTables } from "./privileges.js"
import { recordsTable } from "./records-table.js"
import { allColumns, requireColumn } from "./rows.js"

/** A difference between the database and what the adapter needs. */
export interface Finding {
  /** `"error"`: something doesn't work, or isn't safe. */
  readonly level: "error" | "warning"
  readonly problem: string
  readonly fix: string
}

/** Compares the tables with what the adapter needs. */
export async function check(database: Database): Promise<readonly Finding[]> {
  const clock = await checkClock(database)
  let layout: Layout
  try {
    layout = (await findLayout(database)).layout
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return [...clock, { level: "error", problem, fix: "Change the tables or the options as the message says." }]
  }
  const maps = tableNames.map((table): [TableName, TableMap] => [table, layout.tables[table]])
  const names = [...maps.map(([, map]) => map.name), database.names.records]
  const catalog = await readCatalog(database, names)
  const denied = await deniedTables(database, names)
  const findings = [...clock, ...denied.map(deniedFinding)]
  // Without permission to read its rows, they can't be compared.
  if (denied.some(({ privileges }) => privileges.includes("select"))) return findings
  const isMigrated = layout.isOwn && (await pendingMigrations(database)).length === 0
  const advice = isMigrated ? restoreAdvice(database) : applyAdvice
  for (const [table, map] of maps)
    findings.push(...(await checkTable({ database, catalog, layout, advice }, table, map)))
  return [...findings, ...checkRecords(database, catalog, advice)]
}

function checkRecords({ flavor, names }: Database, catalog: Catalog, fix: string): Finding[] {
  const { map } = recordsTable(flavor, names)
  const found = catalog.get(map.name)
  if (found) return missingColumns(map, found, fix)
  return [{ level: "warning", problem: `The table ${map.name} is missing. Modules can't store anything.`, fix }]
}

function deniedFinding({ name, privileges, role }: Denied): Finding {
  const list = privileges.join(", ")
  const fix = `As the owner of the table, run \`grant ${list} on "${name}" to "${role}"\`.`
  return { level: "error", problem: `The role ${role} has no permission for ${list} on ${name}.`, fix }
}

interface Checked {
  readonly database: Database
  readonly catalog: Catalog
  readonly layout: Layout
  /** How to create what is missing. */
  readonly advice: string
}

function restoreAdvice({ names }: Database): string {
  return `A migration created it before, so \`db apply\` doesn't. Restore it from a backup. If the tables of Latchkey are empty, drop them and ${names.migrations}, and run \`npx latchkey db apply\`.`
}

async function checkTable(
  { database, catalog, layout, advice }: Checked,
  table: TableName,
  map: TableMap,
): Promise<Finding[]> {
  const found = catalog.get(map.name) ?? catalog.get(map.name.toLowerCase())
  if (map.missing !== undefined || !found) return [missing(table, { ...map, missing: map.missing ?? advice }, layout)]
  const columns = missingColumns(map, found, advice)
  if (columns.length > 0) return columns
  return [
    ...(await checkKey(database, { table, map, found })),
    ...checkCascade({ table, map, found }, layout),
    ...checkCollations(database, { table, map, found }),
    ...checkRequired({ table, map, found }),
    ...checkTypes({ table, map, found }),
    ...checkIndexes({ table, map, found }),
    ...checkFields({ table, map, found }, layout),
    ...(await checkTimeZone(database, { table, map, found })),
  ]
}

interface Subject {
  readonly table: TableName
  readonly map: TableMap
  readonly found: CatalogTable
}

const uses: Readonly<Record<TableName, string>> = {
  users: "No user can sign in.",
  accounts: "No user can sign in.",
  sessions: 'Sessions can\'t be stored, only cookies with `session.strategy: "jwt"`.',
  verificationTokens: "Sign-in by email doesn't work.",
  authenticators: "Passkeys can't be registered.",
  rateLimits:
    "Each process counts sign-in attempts in its memory, so the limits multiply with the number of processes.",
}

function missing(table: TableName, map: TableMap, { isOwn }: Layout): Finding {
  const level = isOwn || table === "sessions" || table === "verificationTokens" ? "error" : "warning"
  return { level, problem: `The table ${map.name} is missing. ${uses[table]}`, fix: map.missing ?? applyAdvice }
}

function missingColumns(map: TableMap, { name, columns }: CatalogTable, fix: string): Finding[] {
  const names = new Set(columns.map((column) => column.name))
  return allColumns(map)
    .filter((column) => !names.has(column.name))
    .map((column) => ({ level: "error", problem: `The table ${name} has no column ${column.name}.`, fix }))
}

async function checkKey({ db, flavor }: Database, { table, map, found }: Subject): Promise<Finding[]> {
  const { key } = tableFields[table]
  const columns = key.map((field) => requireColumn(map.columns, field).name)
  if (found.uniques.some((index) => index.every((column) => columns.includes(column)))) return []
  const list = columns.join(", ")
  if (await hasDuplicates(db, map, key)) {
    const problem = `Several rows of ${map.name} have the same ${list}, so it can't get a unique index.`
    return [{ level: "error", problem, fix: `Delete or merge these rows, then run \`npx latchkey db apply\`.` }]
  }
  // The adapter checks the key itself. Without a lock, two calls at once can both find it free.
  const isLocked = flavor.name !== "mysql"
  const risk = isLocked ? "Other programs can store duplicates." : "Requests at the same time can store duplicates."
  const problem = `The table ${map.name} has no unique index on ${list}. ${risk}`
  return [{ level: isLocked ? "warning" : "error", problem, fix: applyAdvice }]
}

function checkCascade({ table, map, found }: Subject, { isOwn }: Layout): Finding[] {
  if (table !== "accounts" && table !== "sessions" && table !== "authenticators") return []
  const { name } = requireColumn(map.columns, "userId")
  if (found.cascades.includes(name)) return []
  const problem = `The column ${name} of ${map.name} has no foreign key with \`on delete cascade\`. If another program deletes a user, their rows stay.`
  const fix = `Add one: \`foreign key (${name}) references … on delete cascade\`. In SQLite, also turn on \`pragma foreign_keys\`.`
  return [{ level: isOwn ? "error" : "warning", problem, fix }]
}

function checkCollations({ flavor }: Database, { table, map, found }: Subject): Finding[] {
  return tableFields[table].key.flatMap((field): Finding[] => {
    const { name } = requireColumn(map.columns, field)
    if (found.columns.find((column) => column.name === name)?.isExact !== false) return []
    const problem = `The collation of ${map.name}.${name} treats different texts as equal, so users with similar values get in each other's way.`
    return [{ level: "error", problem, fix: exactTypes[flavor.name] }]
  })
}

const exactTypes: Readonly<Record<Flavor["name"], string>> = {
  postgres: "Give the column the type `text` with a deterministic collation.",
  mysql: "Give the column a binary collation, such as `utf8mb4_0900_bin` or `utf8mb4_nopad_bin`.",
  sqlite: "Give the column the collation `binary`, which is the default.",
}

/** Columns of the application that a new row must have, but that only the application knows. */
function checkRequired({ table, map, found }: Subject): Finding[] {
  const filled = new Set(
    map.columns.filter(({ field, onInsert }) => onInsert || isStandard(table, field)).map(({ name }) => name),
  )
  return found.columns
    .filter(({ name, notNull, hasDefault, isSerial }) => notNull && !hasDefault && !isSerial && !filled.has(name))
    .filter(({ name }) => name !== map.rest?.name)
    .map(({ name }) => ({
      level: table === "users" ? "warning" : "error",
      problem: `The column ${name} of ${map.name} needs a value, so rows without it can't be stored.`,
      fix: "Give the column a default value, or allow NULL.",
    }))
}

/** What the engine stores in columns of which an application may have chosen another type. */
const samples: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>> = {
  users: { email: "ada@example.com" },
  sessions: { sessionToken: "00000000-0000-4000-8000-000000000000" },
  verificationTokens: { identifier: "ada@example.com", token: "0".repeat(64) },
}

function checkTypes({ table, map, found }: Subject): Finding[] {
  const typeOf = (name: string) => found.columns.find((column) => column.name === name)?.type ?? ""
  const { required } = tableFields[table]
  const isWrong = ({ field, name, storage }: Column) => {
    const sample = samples[table]?.[field]
    if (sample !== undefined) return !storage.holds(sample)
    return required[field] === "instant" && /^(?:bool|tinyint\(1\)|uuid|json)/.test(typeOf(name))
  }
  return map.columns.filter(isWrong).map(({ field, name }) => {
    const needed = required[field] === "instant" ? "a date" : `${samples[table]?.[field]?.length} characters of text`
    return {
      level: "error",
      problem: `The column ${name} of ${map.name} has the type ${typeOf(name)}, which can't contain ${needed}.`,
      fix: "Change its type to the one that the published adapter documents.",
    }
  })
}

function isStandard(table: TableName, field: string): boolean {
  const { required, optional } = tableFields[table]
  return Object.hasOwn(required, field) || Object.hasOwn(optional, field)
}

function checkIndexes({ table, map, found }: Subject): Finding[] {
  const field = table === "rateLimits" ? "resets" : "expires"
  const column = map.columns.find((each) => each.field === field)
  if (!column || found.indexed.includes(column.name)) return []
  return [
    {
      level: "warning",
      problem: `The table ${map.name} has no index on ${column.name}, so deleting expired rows reads the whole table.`,
      fix: applyAdvice,
    },
  ]
}

function checkFields({ table, map }: Subject, { isOwn }: Layout): Finding[] {
  if (isOwn) return []
  const { isOpen, optional } = tableFields[table]
  const dropped = [
    ...(isOpen === true && !map.rest ? ["fields without a column"] : []),
    ...(optional["details"] !== undefined && !map.columns.some(({ field }) => field === "details") ? ["details"] : []),
  ]
  if (dropped.length === 0) return []
  return [
    { level: "warning", problem: `The table ${map.name} doesn't store ${dropped.join(" and ")}.`, fix: applyAdvice },
  ]
}

/** The adapter stores UTC. In the hour that a time zone skips in spring, the session can't convert it, and the statement fails. */
async function checkTimeZone({ db, flavor }: Database, { map, found }: Subject): Promise<Finding[]> {
  const dates = found.columns.filter(({ name, type }) => type.startsWith("timestamp") && isUsed(map, name))
  if (dates.length === 0 || !flavor.convertsDates) return []
  if ((await flavor.convertsDates.execute(db)).rows.length === 0) return []
  const names = dates.map(({ name }) => name).join(", ")
  return [
    {
      level: "warning",
      problem: `The type of ${names} in ${map.name} is TIMESTAMP, which MySQL converts to its time zone. So it rejects dates in the hour that daylight saving time skips.`,
      fix: "Change the type to DATETIME(3) in a session with this time zone, so that the stored dates stay the same for the adapter.",
    },
  ]
}

function isUsed(map: TableMap, name: string): boolean {
  return allColumns(map).some((column) => column.name === name)
}

/** Milliseconds. Sessions and tokens live for minutes or longer. */
const mostSkewMs = 5000

/** The database compares dates with those of this process, and other processes have clocks of their own. */
async function checkClock({ db, flavor }: Database): Promise<Finding[]> {
  if (!flavor.clock) return []
  const before = Date.now()
  const [row] = (await sql<{ now: unknown }>`select ${flavor.clock} as now`.execute(db)).rows
  const after = Date.now()
  const now = Number(row?.now)
  const skew = now < before ? before - now : Math.max(0, now - after)
  if (skew <= mostSkewMs) return []
  const problem = `The clock of the database differs from that of this process by ${Math.round(skew / 1000)} seconds.`
  return [
    {
      level: "warning",
      problem,
      fix: "Synchronize the clocks with NTP. Sessions expire by the clock of each process.",
    },
  ]
}
