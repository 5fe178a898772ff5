import { DatabaseSync } from "node:sqlite"
import { typed } from "./better-auth.js"
import { formerModule, poolOf } from "./install.js"

interface Lucia {
  createSession(userId: string, attributes: object): Promise<{ readonly id: string }>
  createSessionCookie(id: string): { readonly value: string }
}

interface Library {
  readonly Lucia: new (adapter: object) => Lucia
  readonly Scrypt: new () => { hash(password: string): Promise<string> }
  readonly generateIdFromEntropySize: (bytes: number) => string
}

const names = { user: "user", session: "session" }

/** Makes the tables that the guides of Lucia 3 have, with its own functions. @returns the value of Ada's session cookie */
export async function makeLucia(folder: string, url: string): Promise<string> {
  const { Lucia, Scrypt, generateIdFromEntropySize } = await formerModule<Library>(folder, "lucia")
  const { adapter, execute, close } = await open(folder, url)
  const id = generateIdFromEntropySize(10)
  const hash = await new Scrypt().hash(typed)
  const time = url.startsWith("file:") ? "integer" : "timestamptz"
  await execute(
    `create table "user" (id text primary key, email text unique, email_verified boolean, password_hash text, username text)`,
  )
  await execute(
    `create table "session" (id text primary key, expires_at ${time} not null, user_id text not null references "user" (id))`,
  )
  await execute(
    `create table oauth_account (provider_id text, provider_user_id text, user_id text, primary key (provider_id, provider_user_id))`,
  )
  await execute(`insert into "user" values ('${id}', 'ada@users.test', true, '${hash}', 'Ada')`)
  await execute(`insert into oauth_account values ('github', '4242', '${id}')`)
  try {
    const lucia = new Lucia(adapter)
    const session = await lucia.createSession(id, {})
    return lucia.createSessionCookie(session.id).value
  } finally {
    await close()
  }
}

interface Opened {
  readonly adapter: object
  execute(sql: string): Promise<void>
  close(): Promise<void>
}

type Adapter = new (database: object, tables: typeof names) => object

async function open(folder: string, url: string): Promise<Opened> {
  if (url.startsWith("file:")) {
    const { BetterSqlite3Adapter } = await formerModule<{ readonly BetterSqlite3Adapter: Adapter }>(
      folder,
      "@lucia-auth/adapter-sqlite",
    )
    const database = new DatabaseSync(url.slice("file:".length))
    return {
      adapter: new BetterSqlite3Adapter(database, names),
      execute: async (sql) => database.exec(sql),
      close: async () => database.close(),
    }
  }
  const { NodePostgresAdapter } = await formerModule<{ readonly NodePostgresAdapter: Adapter }>(
    folder,
    "@lucia-auth/adapter-postgresql",
  )
  const pool = await poolOf(folder, url)
  return {
    adapter: new NodePostgresAdapter(pool, names),
    execute: async (sql) => void (await pool.query(sql)),
    close: () => pool.end(),
  }
}
