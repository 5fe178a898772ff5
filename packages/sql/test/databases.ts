import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { inject, onTestFinished } from "vitest"

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-sql-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Connection URL of the server that the test run started. */
export function serverUrl(): string {
  const url = inject("postgres")
  if (url === undefined) throw new Error("PostgreSQL isn't running. Skip the test.")
  return url
}

export async function onServer(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: serverUrl() })
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
