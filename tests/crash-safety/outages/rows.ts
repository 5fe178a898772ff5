import { createRequire } from "node:module"
import type { Ledger } from "./ledger.js"

interface Client {
  connect(): Promise<unknown>
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>
  end(): Promise<unknown>
}

/** Resolves the driver from packages/sql. */
const packages = createRequire(new URL("../../../packages/sql/package.json", import.meta.url))

/** Rows that must never be in the tables. */
const broken = [
  [
    "a user without a way to sign in",
    "select id from users u where not exists (select 1 from accounts a where a.user_id = u.id)",
  ],
  [
    "an account without a user",
    "select user_id from accounts a where not exists (select 1 from users u where u.id = a.user_id)",
  ],
  [
    "a session without a user",
    "select user_id from sessions s where not exists (select 1 from users u where u.id = s.user_id)",
  ],
  ["two users with one email", "select lower(email) from users group by lower(email) having count(*) > 1"],
  ["two owners of an account", "select 1 from accounts group by provider, provider_account_id having count(*) > 1"],
] as const

export interface Found {
  readonly violations: readonly string[]
  readonly users: number
  readonly sessions: number
  /** Sessions of sign-ins that the client got no response to. */
  readonly unanswered: number
}

/** Compares the tables with the ledger. @param hasSessions whether sessions are in the tables */
export async function compareRows(url: string, { entries }: Ledger, hasSessions: boolean): Promise<Found> {
  const { Client } = packages("pg") as { Client: new (options: { connectionString: string }) => Client }
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const violations: string[] = []
    for (const [words, query] of broken) {
      const { rows } = await client.query(query)
      violations.push(...rows.map(() => `The tables have ${words}`))
    }
    const stored = new Set((await client.query("select session_token from sessions")).rows.map(tokenIn))
    for (const { token, email, ending, ended } of hasSessions ? entries : []) {
      if (ending === undefined && !stored.has(token)) violations.push(`The session of ${email} isn't in the tables`)
      if (ended !== undefined && stored.has(token)) violations.push(`The ended session of ${email} is in the tables`)
    }
    const known = new Set(entries.map(({ token }) => token))
    const users = (await client.query("select id from users")).rows.length
    const unanswered = [...stored].filter((token) => !known.has(token)).length
    return { violations, users, sessions: stored.size, unanswered }
  } finally {
    await client.end()
  }
}

function tokenIn(row: unknown): string {
  return String((row as { session_token: unknown }).session_token)
}
