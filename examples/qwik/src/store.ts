import { DatabaseSync } from "node:sqlite"
import { sqlite } from "@latchkey/sql/sqlite"
import type { User } from "@latchkey/qwik"
import { hashPassword, verifyPassword } from "./passwords"

export interface Message {
  readonly to: string
  readonly url: string
}

const file = process.env["DATABASE_FILE"] ?? "example.db"
const adapter = sqlite(file)
const database = new DatabaseSync(file, { timeout: 5000 })
database.exec(`
  create table if not exists passwords (email text primary key, hash text not null) strict;
  create table if not exists outbox (recipient text not null, url text not null, sent_at text not null) strict;
`)

const demoUsers = [
  { name: "Ada Lovelace", email: "ada@harbor.example", password: "bernoulli" },
  { name: "Grace Hopper", email: "grace@harbor.example", password: "nanosecond" },
]

await adapter.migrate()
for (const { password, ...user } of demoUsers) {
  if ((await adapter.getUserByEmail(user.email)) !== null) continue
  await adapter.createUser({ ...user, id: crypto.randomUUID(), emailVerified: new Date() })
  database.prepare("insert into passwords values (?, ?)").run(user.email, await hashPassword(password))
}

/** The tables of the adapter, and two tables of this application. */
export const store = {
  adapter,
  async checkPassword(email: string, password: string): Promise<User | null> {
    const normalized = email.trim().toLowerCase()
    const row = database.prepare("select hash from passwords where email = ?").get(normalized)
    // Verify even without a row, so that the response time doesn't reveal which emails have an account.
    const isValid = await verifyPassword(password, String(row?.["hash"] ?? ""))
    return isValid && row !== undefined ? adapter.getUserByEmail(normalized) : null
  },
  async accountsOf(userId: string): Promise<readonly string[]> {
    const accounts = await adapter.listAccounts(userId)
    return accounts.map(({ provider }) => provider)
  },
  saveMessage(to: string, url: string): void {
    database.prepare("insert into outbox values (?, ?, ?)").run(to, url, new Date().toISOString())
  },
  messages(): readonly Message[] {
    const rows = database.prepare("select * from outbox order by sent_at desc limit 10").all()
    return rows.map(({ recipient, url }) => ({ to: String(recipient), url: String(url) }))
  },
}

/** The trimmed name, or `undefined` if it isn't valid. */
export function validName(name: unknown): string | undefined {
  const trimmed = typeof name === "string" ? name.trim() : ""
  return trimmed !== "" && trimmed.length <= 60 ? trimmed : undefined
}
