import { createRequire } from "node:module"
import { join } from "node:path"
import { entryOf } from "../db/entries.js"
import { Failure } from "../failure.js"

export type Row = Readonly<Record<string, unknown>>

/** A database that another library made. */
export interface Tables {
  /** Undefined: there is no such table. */
  rows(table: string): Promise<readonly Row[] | undefined>
  close(): Promise<void>
}

/** @param root of the application, which has the driver */
export async function openTables(root: string, url: string): Promise<Tables> {
  const { name, location } = entryOf(url)
  if (name === "postgres") return postgresTables(root, location)
  if (name === "sqlite") return sqliteTables(location)
  throw new Failure("The other library's database has to be SQLite or PostgreSQL: file:old.db or postgres://…")
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

async function sqliteTables(file: string): Promise<Tables> {
  const { DatabaseSync } = await import("node:sqlite").catch((cause: unknown) => {
    throw new Failure("Reading SQLite needs Node 22.13 or newer.", { cause })
  })
  const database = new DatabaseSync(file, { readOnly: true })
  return {
    rows: async (table) => {
      const known = database
        .prepare("select 1 from sqlite_master where type in ('table', 'view') and name = ?")
        .get(table)
      return known === undefined ? undefined : database.prepare(`select * from ${quoted(table)}`).all()
    },
    close: async () => database.close(),
  }
}

/** What is used of `pg`. */
interface Client {
  connect(): Promise<void>
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>
  end(): Promise<void>
}

async function postgresTables(root: string, connectionString: string): Promise<Tables> {
  const client = new (driverIn(root))({ connectionString })
  await client.connect()
  return {
    rows: async (table) => {
      const { rows } = await client.query("select to_regclass($1) is not null as known", [quoted(table)])
      return rows[0]?.["known"] === true ? (await client.query(`select * from ${quoted(table)}`)).rows : undefined
    },
    close: () => client.end(),
  }
}

function driverIn(root: string): new (options: { readonly connectionString: string }) => Client {
  try {
    // It exports this class.
    return (createRequire(join(root, "package.json"))("pg") as { Client: ReturnType<typeof driverIn> }).Client
  } catch (cause) {
    throw new Failure("The application has no `pg`, which reads PostgreSQL. Install it.", { cause })
  }
}

/** A text, or a number as text. Undefined: it's NULL or empty. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  return typeof value === "string" && value !== "" ? value : undefined
}

export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === 1n
}

/** A date, an ISO text, or a number: milliseconds, or seconds if it's too small for them. */
export function dateOf(value: unknown): Date | undefined {
  if (value instanceof Date) return value
  const number = typeof value === "bigint" ? Number(value) : value
  const time = typeof number === "number" ? (number < 1e11 ? number * 1000 : number) : Date.parse(textOf(number) ?? "")
  return Number.isNaN(time) ? undefined : new Date(time)
}

/** The rows by the value of a column. */
export function byColumn(rows: readonly Row[], column: string): (value: string) => readonly Row[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const value = textOf(row[column]) ?? ""
    const group = groups.get(value) ?? []
    groups.set(value, group)
    group.push(row)
  }
  return (value) => groups.get(value) ?? []
}
