import type { SessionMethods } from "@latchkey/core/adapters"
import { eq, sql } from "drizzle-orm"
import { toColumn } from "./columns.js"
import { uncached } from "./conditions.js"
import type { Row, Select } from "./database.js"
import { sessionOf, userOf } from "./rows.js"
import type { Store } from "./store.js"

/** Builds the SQL only once, because every request with a session runs it. */
export function sessionReader(store: Store): SessionMethods["getSessionAndUser"] {
  let prepared: ReturnType<Select["prepare"]> | undefined
  return async (sessionToken) => {
    const column = store.models.sessions.columns["sessionToken"]
    const token = column && typeof sessionToken === "string" ? toColumn(column, sessionToken) : undefined
    if (token === undefined) return null
    const [row] = await store.read(() => {
      const query = (prepared ??= prepare(store))
      return query.execute({ token })
    })
    // MySQL may find a session whose token differs in case.
    const [session, user] = [rowIn(row, "session"), rowIn(row, "user")]
    return session["sessionToken"] === sessionToken ? { session: sessionOf(session), user: userOf(user) } : null
  }
}

function prepare({ db, models: { sessions, users }, prepare: isNamed }: Store): ReturnType<Select["prepare"]> {
  const { sessionToken, userId } = sessions.columns
  const { id } = users.columns
  if (!sessionToken || !userId || !id) throw new Error("The tables lack columns. Pass the whole tables.")
  const query = uncached(db.select({ session: sessions.columns, user: users.columns }).from(sessions.table))
    .innerJoin(users.table, eq(id, userId))
    .where(eq(sessionToken, sql.placeholder("token")))
  // PostgreSQL rejects a name that stands for two statements. Without a name, it keeps no statement.
  return query.prepare(isNamed ? `latchkey_${hash(query.toSQL().sql)}` : "")
}

function rowIn(row: Row | undefined, name: "session" | "user"): Row {
  const part: unknown = row?.[name]
  return typeof part === "object" && part !== null ? { ...part } : {}
}

/** FNV-1a. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value.toString(16)
}
