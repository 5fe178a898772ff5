import { type Kysely, sql } from "kysely"
import type { Flavor } from "../flavors/flavor.js"
import { readCatalog } from "./catalog.js"
import type { Names } from "./names.js"
import { ownLayout } from "./own.js"
import { type Candidates, type FoundTables, publishedLayout, tablesIn } from "./published.js"
import { type Layout, type TableName, tableNames } from "./table-map.js"

/** Which tables the adapter uses. */
export type LayoutOption = "auto" | "latchkey" | PublishedLayout

/** The tables of `@auth/pg-adapter`, `@auth/kysely-adapter`, `@auth/drizzle-adapter` or `@auth/prisma-adapter`. */
export type PublishedLayout = "authjs-pg" | "authjs-kysely" | "authjs-drizzle" | "authjs-prisma"

export interface FindOptions {
  readonly db: Kysely<unknown>
  readonly flavor: Flavor
  readonly names: Names
  readonly layout: LayoutOption
}

/** A layout whose tables exist, or the own one, whose tables may not exist yet. */
export interface FoundLayout {
  readonly layout: Layout
  /** The tables of a published adapter. */
  readonly found?: FoundTables
  /** Names that tables of a published adapter can have. */
  readonly candidates?: Candidates
}

/** @throws RangeError if there is no such layout */
export function assertLayout(layout: string): void {
  const all = ["auto", "latchkey", ...Object.keys(published)]
  if (!all.includes(layout)) throw new RangeError(`There is no layout "${layout}". Use "${all.join('", "')}".`)
}

const pascalCase: Candidates = {
  users: ["User"],
  accounts: ["Account"],
  sessions: ["Session"],
  verificationTokens: ["VerificationToken"],
  authenticators: ["Authenticator"],
  rateLimits: ["latchkey_rate_limits"],
}

const published: Readonly<Record<PublishedLayout, Candidates>> = {
  "authjs-pg": {
    users: ["users"],
    accounts: ["accounts"],
    sessions: ["sessions"],
    verificationTokens: ["verification_token", "verification_tokens"],
    authenticators: ["authenticators", "authenticator"],
    rateLimits: ["latchkey_rate_limits"],
  },
  "authjs-drizzle": {
    users: ["user"],
    accounts: ["account"],
    sessions: ["session"],
    verificationTokens: ["verificationToken", "verification_token"],
    authenticators: ["authenticator"],
    rateLimits: ["latchkey_rate_limits"],
  },
  "authjs-prisma": pascalCase,
  "authjs-kysely": pascalCase,
}

/** @throws Error if tables of several published adapters exist, or those of the given one are missing */
export async function findLayout(options: FindOptions): Promise<FoundLayout> {
  const { flavor, names, layout, db } = options
  if (layout !== "auto" && layout !== "latchkey") {
    return openPublished(options, await candidatesOf(options, layout))
  }
  const own = ownLayout(flavor, names)
  const hasMigrations = (await flavor.existing([names.migrations]).execute(db)).rows.length > 0
  if (hasMigrations) return { layout: own }
  const only = layout === "auto" ? await onlyPublished(options) : undefined
  if (only) return openPublished(options, only)
  await rejectForeign(options, own)
  return { layout: own }
}

/** A migration would fail halfway if another program had made a table with the same name. */
async function rejectForeign(options: FindOptions, { tables }: Layout): Promise<void> {
  const maps = Object.values(tables)
  const catalog = await readCatalog(
    options,
    maps.map(({ name }) => name),
  )
  for (const { name, columns } of maps) {
    const found = catalog.get(name)?.columns.map((column) => column.name)
    const absent = found && columns.filter((column) => !found.includes(column.name)).map((column) => column.name)
    if (!absent?.length) continue
    throw new Error(
      `The table ${name} is of another program: it has no column ${absent.join(", ")}. Set \`prefix\` to create tables with other names. If a published adapter made it, set \`layout\`, and the error will say what is missing.`,
    )
  }
}

async function onlyPublished(options: FindOptions): Promise<Candidates | undefined> {
  const layouts = [
    await candidatesOf(options, "authjs-pg"),
    await candidatesOf(options, "authjs-drizzle"),
    await candidatesOf(options, "authjs-prisma"),
  ]
  const catalog = await readCatalog(
    options,
    layouts.flatMap((candidates) => Object.values(candidates).flat()),
  )
  const complete = new Map<string, Candidates>()
  for (const candidates of layouts) {
    const found = tablesIn(catalog, candidates)
    if (isComplete(found)) complete.set(found.users.name, candidates)
  }
  const [first, second] = [...complete.keys()]
  if (first !== undefined && second !== undefined) throw ambiguous(first, second)
  return first === undefined ? undefined : complete.get(first)
}

type CompleteTables = FoundTables & Required<Pick<FoundTables, "users" | "accounts">>

/** With tables for users and accounts of Auth.js. Sessions can be in cookies, and an application may have other users. */
function isComplete(found: FoundTables): found is CompleteTables {
  const has = (table: "users" | "accounts", pattern: RegExp) =>
    found[table]?.columns.some(({ name }) => pattern.test(name)) === true
  return has("users", /^email_?verified$/i) && has("accounts", /^provider_?account_?id$/i)
}

function ambiguous(one: string, other: string): Error {
  const advice = `Set the option \`layout\` to "latchkey", "${Object.keys(published).join('", "')}".`
  return new Error(`The database has two sets of tables: one with ${one}, and one with ${other}. ${advice}`)
}

/** The names of the tables, which the options can change. */
async function candidatesOf({ db, flavor, names }: FindOptions, layout: PublishedLayout): Promise<Candidates> {
  const defaults = published[layout]
  const isFolded = flavor.foldsNames !== undefined && (await flavor.foldsNames.execute(db)).rows.length > 0
  const named = (table: TableName) => {
    const given = names.given(table)
    const all = given === undefined ? defaults[table].map((name) => names.prefix + name) : [given]
    return isFolded ? all.map((name) => name.toLowerCase()) : all
  }
  return {
    users: named("users"),
    accounts: named("accounts"),
    sessions: named("sessions"),
    verificationTokens: named("verificationTokens"),
    authenticators: named("authenticators"),
    rateLimits: named("rateLimits"),
  }
}

async function openPublished(options: FindOptions, candidates: Candidates): Promise<FoundLayout> {
  const { flavor, names } = options
  const found = tablesIn(await readCatalog(options, Object.values(candidates).flat()), candidates)
  for (const table of tableNames) {
    const isRequired = table === "users" || table === "accounts" || names.given(table) !== undefined
    if (found[table] !== undefined || !isRequired) continue
    const advice = `Create the tables of the published adapter, check the schema of the connection, or set the name with \`tables: { ${table}: { name: "…" } }\`.`
    throw new Error(`The database has no table ${candidates[table].join(" or ")}. ${advice}`)
  }
  const sampled = flavor.name === "sqlite" ? await withDateFormat(options, found) : found
  return { layout: publishedLayout({ flavor, names, found: sampled, candidates }), found: sampled, candidates }
}

/** SQLite has no type for dates, so it depends on the application whether they are text, or numbers of which unit. */
async function withDateFormat({ db, names }: FindOptions, found: FoundTables): Promise<FoundTables> {
  const format = await dateFormat({ db, names, found })
  if (format === undefined) return found
  const withFormat = tableNames.flatMap((name) => {
    const table = found[name]
    if (!table) return []
    const dates = ["expires", "emailVerified"].map((field) => names.find(name, field, table.columns))
    const columns = table.columns.map((column) =>
      dates.includes(column) ? { ...column, type: `${column.type} in ${format}` } : column,
    )
    return [[name, { ...table, columns }]]
  })
  return Object.fromEntries(withFormat)
}

interface Sampled {
  readonly db: Kysely<unknown>
  readonly names: Names
  readonly found: FoundTables
}

async function dateFormat({ db, names, found }: Sampled): Promise<string | undefined> {
  const fields = [
    ["sessions", "expires"],
    ["verificationTokens", "expires"],
    ["users", "emailVerified"],
  ] as const
  for (const [name, field] of fields) {
    const table = found[name]
    const column = table && names.find(name, field, table.columns)
    if (!table || !column) continue
    const value = sql.id(column.name)
    const query = sql<{
      value: unknown
    }>`select ${value} as value from ${sql.id(table.name)} where ${value} is not null limit 1`
    const [row] = (await query.execute(db)).rows
    if (row === undefined) continue
    if (typeof row.value !== "number") return undefined
    // As seconds, 100 billion are the year 5138; as milliseconds, 1973.
    return row.value < 100_000_000_000 ? "seconds" : "milliseconds"
  }
  return undefined
}
