import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3"
import { PrismaMariaDb } from "@prisma/adapter-mariadb"
import { PrismaPg } from "@prisma/adapter-pg"
import Database from "better-sqlite3"
import pg from "pg"
import { afterAll, inject } from "vitest"
import { type Provider, statementsFor } from "./tables.js"

/** What the tests use of a generated client. */
export interface Client {
  $disconnect(): Promise<void>
  $on(event: "query", listen: (event: { readonly query: string }) => void): void
  $queryRawUnsafe(text: string): Promise<unknown>
  $executeRawUnsafe(text: string): Promise<unknown>
}

type Constructor = new (options: object) => Client

const here = dirname(fileURLToPath(import.meta.url))

/** In a folder that git ignores. A client is generated once for each version of its schema. */
const clients = join(here, "..", "temp")

const closing: (() => Promise<unknown> | void)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

export async function generated(provider: Provider, schema: string): Promise<Constructor> {
  const template = await readFile(join(here, "schemas", `${schema}.prisma`), "utf8")
  const text = filled(template, provider)
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12)
  const folder = join(clients, `${schema}-${provider}-${hash}`)
  if (!existsSync(folder)) await generate(folder, text)
  const module: unknown = await import(pathToFileURL(join(folder, "client", "client.ts")).href)
  // Prisma exports it.
  return Reflect.get(Object(module), "PrismaClient") as Constructor
}

function filled(template: string, provider: Provider): string {
  const [key, long] = provider === "mysql" ? ["@db.VarChar(255)", "@db.Text"] : ["", ""]
  return template
    .replaceAll(/\bKEY\b/g, key)
    .replaceAll(/\bLONG\b/g, long)
    .replaceAll(/\bLARGE\b/g, provider === "mysql" ? "@db.LongText" : "")
    .replaceAll(/\bPROVIDER\b/g, provider)
    .replaceAll(/\bPREVIEW\b/g, provider === "sqlite" ? "" : 'previewFeatures = ["relationJoins"]')
}

/** Into a folder of its own first, because another test may be generating the same client. */
async function generate(folder: string, text: string): Promise<void> {
  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { recursive: true })
  const file = join(draft, "schema.prisma")
  await writeFile(file, text)
  const cli = join(dirname(createRequire(import.meta.url).resolve("prisma/package.json")), "build", "index.js")
  // Prisma downloads the schema engine unless it has a path. `generate` doesn't use it.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" }
  await promisify(execFile)(process.execPath, [cli, "generate", "--schema", file], { env, cwd: draft })
  await rename(draft, folder).catch((error: unknown) => {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
}

function connected(PrismaClient: Constructor, adapter: object): Client {
  const client = new PrismaClient({ adapter, log: [{ emit: "event", level: "query" }] })
  closing.push(() => client.$disconnect())
  return client
}

export interface Options {
  /** Statements that make the tables. @default those of the schema */
  readonly tables?: readonly string[]
  /** Changes the URL of the database, such as to one of a proxy. */
  readonly route?: (url: string) => string
}

/** The URL of a new, empty database. */
export async function newPgDatabase(name: string): Promise<string> {
  const server = inject("postgres")
  if (server === undefined) throw new Error("PostgreSQL isn't running. Skip the test.")
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function overPg(
  name: string,
  schema: string,
  { tables, route = (url) => url }: Options = {},
): Promise<Client> {
  const connectionString = await newPgDatabase(name)
  const setup = new pg.Client({ connectionString })
  await setup.connect()
  for (const statement of tables ?? statementsFor("postgresql", schema)) await setup.query(statement)
  await setup.end()
  return connected(await generated("postgresql", schema), new PrismaPg({ connectionString: route(connectionString) }))
}

export async function overMariadb(
  name: string,
  schema: string,
  { tables, route = (url) => url, collation = "utf8mb4_nopad_bin" }: Options & { readonly collation?: string } = {},
): Promise<Client> {
  const server = inject("mariadb")
  if (server === undefined) throw new Error("MariaDB isn't running. Skip the test.")
  const { hostname: host, port, username: user } = new URL(route(server))
  const PrismaClient = await generated("mysql", schema)
  const over = (database: string) =>
    connected(PrismaClient, new PrismaMariaDb({ host, port: Number(port), user, database, connectionLimit: 10 }))
  const setup = over("mysql")
  await setup.$executeRawUnsafe(`drop database if exists ${name}`)
  await setup.$executeRawUnsafe(`create database ${name} character set utf8mb4 collate ${collation}`)
  const client = over(name)
  for (const statement of tables ?? statementsFor("mysql", schema)) await client.$executeRawUnsafe(statement)
  return client
}

export async function overSqlite(schema: string, { tables }: Options = {}): Promise<Client> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-prisma-"))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "a.db")
  const setup = new Database(file)
  for (const statement of tables ?? statementsFor("sqlite", schema)) setup.exec(statement)
  setup.close()
  return connected(await generated("sqlite", schema), new PrismaBetterSqlite3({ url: `file:${file}` }))
}
