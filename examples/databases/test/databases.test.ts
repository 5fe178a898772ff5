import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { openBrowser } from "@latchkey/testing"
import mysql from "mysql2/promise"
import pg from "pg"
import { expect, inject, onTestFinished, test } from "vitest"
import { environment, launch, type Running } from "../../../tests/applications/processes.js"

interface Database {
  readonly name: string
  readonly server?: string | undefined
  readonly cache?: string | undefined
}

const [server, mariadb, redis] = [inject("postgres"), inject("mariadb"), inject("redis")]
const databases: readonly Database[] = [
  { name: "SQLite", server: "file:" },
  { name: "PostgreSQL", server },
  { name: "MariaDB", server: mariadb },
  { name: "Redis", server: redis },
  { name: "PostgreSQL with Redis in front", server: redis && server, cache: redis },
]

for (const { name, server, cache } of databases) {
  test.skipIf(server === undefined)(
    `a session in ${name} outlives a restart, and ends when the user signs out`,
    async () => {
      const env = variables(await emptyDatabase(server ?? ""), cache)
      const first = await start(env)
      const browser = openBrowser(first.app)
      await browser.signIn("email", { email: `ada-${crypto.randomUUID()}@harbor.example` })
      expect(browser.response.status).toBe(200)
      await browser.get(await first.link())
      // The headers of `fetch` aren't those of a navigation, so the page asks for a confirmation.
      await browser.submitForm("/auth/callback/email")
      await browser.get("/")
      expect(browser.text).toContain("Signed in as ada-")

      await first.stop()
      const second = await start(env)
      const later = openBrowser({ ...second.app, jar: browser.jar })
      await later.get("/")
      expect(later.text).toContain("Signed in as ada-")
      await later.get("/auth/account")
      expect(later.text).toContain("This device")
      await later.signOut()
      await later.get("/")
      expect(later.text).toContain("Not signed in")
    },
  )
}

function variables(database: string, cache: string | undefined): Readonly<Record<string, string>> {
  const AUTH_SECRET = randomBytes(33).toString("base64")
  const urls = { DATABASE_URL: database, ...(cache !== undefined && { REDIS_URL: cache }) }
  return { ...urls, AUTH_SECRET, NODE_ENV: "development", PORT: "0", HOST: "127.0.0.1" }
}

/** Returns its URL. All tests share the Redis, where each user has keys of their own. */
async function emptyDatabase(server: string): Promise<string> {
  const name = `example_${randomBytes(6).toString("hex")}`
  if (server === "file:") return `file:${join(await temporaryFolder(), name)}`
  if (server.startsWith("redis:")) return server
  await (server.startsWith("mysql:") ? createInMysql(server, name) : createInPostgres(server, name))
  return new URL(`/${name}`, server).href
}

async function createInMysql(server: string, name: string): Promise<void> {
  const connection = await mysql.createConnection(server)
  await connection.query(`create database ${name}`)
  await connection.end()
}

async function createInPostgres(server: string, name: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-example-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Started {
  readonly app: Parameters<typeof openBrowser>[0]
  /** The last link that an email would contain. */
  link(): Promise<string>
  stop(): Promise<void>
}

async function start(env: Readonly<Record<string, string>>): Promise<Started> {
  const cwd = fileURLToPath(new URL("..", import.meta.url))
  const server = launch([process.execPath, "src/server.ts"], { cwd, env: environment(env) })
  onTestFinished(() => server.stop())
  const origin = await server.until((output) => /Harbor is at (\S+)/.exec(output)?.[1])
  const handle = (request: Request) => fetch(request, { redirect: "manual" })
  return { app: { origin, handle }, link: () => linkOf(server), stop: () => server.stop() }
}

function linkOf(server: Running): Promise<string> {
  return server.until((output) => /Sign-in link for \S+: (\S+)/.exec(output)?.[1])
}
