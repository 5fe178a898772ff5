import { mkdtempSync, rmSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createConnection } from "mysql2/promise"
import pg from "pg"
import { afterAll, inject, onTestFinished } from "vitest"

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-sql-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder that is removed after the tests of the file. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-sql-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Connection URL of the server that the test run started. */
export function serverUrl(): string {
  const url = inject("postgres")
  if (url === undefined) throw new Error("PostgreSQL isn't running. Skip the test.")
  return url
}

export function onServer(text: string): Promise<unknown[]> {
  return inDatabase(serverUrl(), text)
}

export async function inDatabase(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Connection URL of a new, empty database. */
export async function newDatabase(name: string): Promise<string> {
  await onServer(`drop database if exists ${name} with (force)`)
  await onServer(`create database ${name}`)
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

/** Connection URL of a new, empty database of MariaDB, whose defaults ignore case and accents. */
export async function newMysqlDatabase(name: string): Promise<string> {
  const url = new URL(inject("mariadb") ?? "")
  const connection = await createConnection({ uri: url.href, multipleStatements: true })
  try {
    await connection.query(`drop database if exists ${name}; create database ${name} collate utf8mb4_unicode_ci`)
  } finally {
    await connection.end()
  }
  url.pathname = `/${name}`
  return url.href
}
