import { DatabaseSync } from "node:sqlite"
import type { User } from "@latchkey/next"
import type { SqlAdapter } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import { hashPassword, verifyPassword } from "@/passwords"

export interface Message {
  readonly to: string
  readonly url: string
  /** ISO 8601 */
  readonly sentAt: string
}

/** A SQLite file with the tables of the adapter and two tables of this application. */
export interface Store {
  readonly adapter: SqlAdapter
  checkPassword(email: string, password: string): Promise<User | null>
  rename(id: string, name: string): Promise<void>
  /** The ids of the providers that a user has linked. */
  providersOf(id: string): Promise<readonly string[]>
  /** How many passkeys a user has. */
  passkeysOf(id: string): Promise<number>
  users(): readonly ListedUser[]
  saveMessage(to: string, url: string): void
  messages(): readonly Message[]
}

export interface ListedUser {
  readonly name: string
  readonly email: string
}

const file = process.env.DATABASE_FILE ?? "example.db"

const demoUsers = [
  { name: "Ada Lovelace", email: "ada@harbor.example", password: "bernoulli", role: "admin" },
  { name: "Grace Hopper", email: "grace@harbor.example", password: "nanosecond", role: "member" },
] as const

let opened: Store | undefined

/** Opens the database on first use, because `next build` has none. */
export function store(): Store {
  opened ??= open()
  return opened
}

function open(): Store {
  const adapter = sqlite(file)
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec(`
    create table if not exists passwords (email text primary key, hash text not null) strict;
    create table if not exists outbox (recipient text not null, url text not null, sent_at text not null) strict;
  `)
  const ready = setUp(adapter, database)
  return {
    adapter,
    async checkPassword(email, password) {
      await ready
      const normalized = email.trim().toLowerCase()
      const row = database.prepare("select hash from passwords where email = ?").get(normalized)
      // Verify even without a row, so that the response time doesn't reveal which emails have an account.
      const isValid = await verifyPassword(password, String(row?.hash ?? ""))
      return isValid && row !== undefined ? adapter.getUserByEmail(normalized) : null
    },
    async rename(id, name) {
      await adapter.updateUser({ id, name })
    },
    async providersOf(id) {
      const accounts = await adapter.listAccounts(id)
      return accounts.map(({ provider }) => provider)
    },
    async passkeysOf(id) {
      return (await adapter.listAuthenticatorsByUserId(id)).length
    },
    users() {
      const rows = database.prepare("select name, email from users order by name").all()
      return rows.map(({ name, email }) => ({ name: String(name ?? "–"), email: String(email) }))
    },
    saveMessage(to, url) {
      database.prepare("insert into outbox values (?, ?, ?)").run(to, url, new Date().toISOString())
    },
    messages() {
      const rows = database.prepare("select * from outbox order by sent_at desc limit 10").all()
      return rows.map(({ recipient, url, sent_at }) => ({
        to: String(recipient),
        url: String(url),
        sentAt: String(sent_at),
      }))
    },
  }
}

/** Creates the tables and the demo users. */
async function setUp(adapter: SqlAdapter, database: DatabaseSync): Promise<void> {
  await adapter.migrate()
  for (const { password, ...user } of demoUsers) {
    if ((await adapter.getUserByEmail(user.email)) !== null) continue
    await adapter.createUser({ ...user, id: crypto.randomUUID(), emailVerified: new Date() })
    database.prepare("insert into passwords values (?, ?)").run(user.email, await hashPassword(password))
  }
}
