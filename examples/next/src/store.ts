import { DatabaseSync } from "node:sqlite"
import type { User } from "@latchkey/next"
import type { SqlAdapter } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import { hashPassword, verifyPassword } from "@/passwords"

export interface Message {
  readonly to: string
  readonly url: string
  readonly at: string
}

/** The SQLite file: the tables of the sign-in, and two of this application's own. */
export interface Store {
  readonly adapter: SqlAdapter
  checkPassword(email: string, password: string): Promise<User | null>
  rename(id: string, name: string): Promise<void>
  /** The services that somebody has signed in with. */
  servicesOf(id: string): Promise<readonly string[]>
  /** The number of people, and who they are; for administrators. */
  people(): readonly Person[]
  keepMessage(to: string, url: string): void
  messages(): readonly Message[]
}

export interface Person {
  readonly name: string
  readonly email: string
}

const file = process.env.DATABASE_FILE ?? "example.db"

/** Who is there from the beginning. */
const residents = [
  { name: "Ada Lovelace", email: "ada@harbour.example", password: "bernoulli", role: "admin" },
  { name: "Grace Hopper", email: "grace@harbour.example", password: "nanosecond", role: "member" },
] as const

let opened: Store | undefined

/** Opened at first use: a build has no database. */
export function store(): Store {
  opened ??= open()
  return opened
}

function open(): Store {
  const adapter = sqlite(file)
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec(`
    create table if not exists passwords (email text primary key, hash text not null) strict;
    create table if not exists outbox (recipient text not null, url text not null, at text not null) strict;
  `)
  const settled = settle(adapter, database)
  return {
    adapter,
    async checkPassword(email, password) {
      await settled
      const address = email.trim().toLowerCase()
      const row = database.prepare("select hash from passwords where email = ?").get(address)
      // Somebody unknown takes as long as somebody known.
      const isRight = await verifyPassword(password, String(row?.hash ?? ""))
      return isRight && row !== undefined ? adapter.getUserByEmail(address) : null
    },
    async rename(id, name) {
      await adapter.updateUser({ id, name })
    },
    async servicesOf(id) {
      const accounts = await adapter.listAccounts(id)
      return accounts.map(({ provider }) => provider)
    },
    people() {
      const rows = database.prepare("select name, email from users order by name").all()
      return rows.map(({ name, email }) => ({ name: String(name ?? "–"), email: String(email) }))
    },
    keepMessage(to, url) {
      database.prepare("insert into outbox values (?, ?, ?)").run(to, url, new Date().toISOString())
    },
    messages() {
      const rows = database.prepare("select * from outbox order by at desc limit 10").all()
      return rows.map(({ recipient, url, at }) => ({ to: String(recipient), url: String(url), at: String(at) }))
    },
  }
}

/** The tables are made by the adapter; whoever lives here already is not entered again. */
async function settle(adapter: SqlAdapter, database: DatabaseSync): Promise<void> {
  await adapter.migrate()
  for (const { password, ...person } of residents) {
    if ((await adapter.getUserByEmail(person.email)) !== null) continue
    await adapter.createUser({ ...person, id: crypto.randomUUID(), emailVerified: new Date() })
    database.prepare("insert into passwords values (?, ?)").run(person.email, await hashPassword(password))
  }
}
