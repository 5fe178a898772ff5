import { Failure } from "../failure.js"
import type { Former, FormerUser } from "./former.js"
import { byColumn, dateOf, isTrue, type Row, type Tables, textOf } from "./tables.js"

/** The tables of an application with Lucia 3, whose names are its own. */
export interface LuciaNames {
  readonly users: string
  readonly sessions: string
  readonly accounts: string
}

/**
 * Reads the tables that the documentation of Lucia 3 has: users with `email`, `email_verified` and `password_hash`, accounts with
 * `provider_id` and `provider_user_id`, and sessions.
 *
 * @throws Failure
 */
export async function readLucia(tables: Tables, names: LuciaNames): Promise<Former> {
  const users = await tables.rows(names.users)
  const sessions = await tables.rows(names.sessions)
  if (users === undefined || sessions?.some((row) => !("user_id" in row)) !== false)
    throw new Failure(
      `The database has no tables ${names.users} and ${names.sessions} of Lucia. Name them with --users-table and --sessions-table.`,
    )
  const of = {
    sessions: byColumn(sessions, "user_id"),
    accounts: byColumn((await tables.rows(names.accounts)) ?? [], "user_id"),
  }
  return { users: users.map((row) => userIn(row, of)), notes: notesOn(users) }
}

const columns = {
  hash: ["password_hash", "hashed_password", "password"],
  verified: ["email_verified", "emailVerified"],
  name: ["name", "username"],
  image: ["image", "avatar_url", "picture"],
} as const

function first(row: Row, names: readonly string[]): unknown {
  return names.map((name) => row[name]).find((value) => value !== undefined && value !== null)
}

function userIn(
  row: Row,
  of: Readonly<Record<"sessions" | "accounts", (userId: string) => readonly Row[]>>,
): FormerUser {
  const id = textOf(row["id"]) ?? ""
  return {
    id,
    email: textOf(row["email"]),
    emailVerified: isTrue(first(row, columns.verified)) ? new Date() : null,
    name: textOf(first(row, columns.name)) ?? null,
    image: textOf(first(row, columns.image)) ?? null,
    obstacle: undefined,
    accounts: of.accounts(id).map((account) => ({
      provider: textOf(account["provider_id"]) ?? "",
      providerAccountId: textOf(account["provider_user_id"]) ?? "",
    })),
    hash: textOf(first(row, columns.hash)),
    app: undefined,
    passkeys: [],
    sessions: of.sessions(id).flatMap((session) => {
      const [token, expires] = [textOf(session["id"]), dateOf(session["expires_at"])]
      return token === undefined || expires === undefined ? [] : [{ token, expires }]
    }),
  }
}

function notesOn(users: readonly Row[]): readonly string[] {
  const known: readonly string[] = ["id", "email", ...Object.values(columns).flat()]
  const others = Object.keys(users[0] ?? {}).filter((name) => !known.includes(name))
  return [
    ...(others.length === 0 ? [] : [`Columns of users that aren't moved: ${others.join(", ")}`]),
    "Lucia has no tables for passkeys and authenticator apps. Move yours with `createAuthenticator` and `importApp`",
  ]
}
