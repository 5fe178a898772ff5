import SQLite from "better-sqlite3"
import { createConnection } from "mysql2/promise"
import pg from "pg"
import { inject } from "vitest"

/** A new, empty database. */
export interface Place {
  readonly url: string
  run(statements: string): Promise<void>
  rows(query: string): Promise<unknown[]>
  close(): Promise<void>
}

export async function postgresPlace(name: string): Promise<Place> {
  const server = inject("postgres") ?? ""
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  // Drivers and types without a time zone must not depend on it.
  await admin.query(`alter database ${name} set timezone to 'Australia/Lord_Howe'`)
  await admin.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return {
    url: url.href,
    run: async (statements) => void (await client.query(statements)),
    rows: async (query) => (await client.query(query)).rows,
    close: () => client.end(),
  }
}

export async function mysqlPlace(name: string, collation: string): Promise<Place> {
  const url = new URL(inject("mariadb") ?? "")
  const client = await createConnection({ uri: url.href, multipleStatements: true })
  await client.query(`drop database if exists ${name}; create database ${name} collate ${collation}; use ${name}`)
  url.pathname = `/${name}`
  return {
    url: url.href,
    run: async (statements) => void (await client.query(statements)),
    rows: async (query) => {
      const [rows] = await client.query(query)
      return Array.isArray(rows) ? rows : []
    },
    close: () => client.end(),
  }
}

export function sqlitePlace(file: string): Place {
  const database = new SQLite(file)
  return {
    url: file,
    run: async (statements) => void database.exec(statements),
    rows: async (query) => database.prepare(query).all(),
    close: async () => void database.close(),
  }
}
