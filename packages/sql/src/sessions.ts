import type { AdapterSession, AdapterUser, SessionMethods } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Layout } from "./layouts/table-map.js"
import {
  canMatch,
  columnOf,
  condition,
  decoderOf,
  type Fields,
  keyParameters,
  requireColumn,
  selection,
} from "./rows.js"
import type { Store } from "./store.js"

export function sessionMethods(store: Store): SessionMethods {
  const sessions = async () => (await store.tables()).sessions
  return {
    createSession: async (session) => {
      await (await sessions()).add(session)
      return session
    },
    getSessionAndUser: sessionReader(store),
    updateSession: async ({ sessionToken, details: _details, ...changes }) =>
      (await (await sessions()).update({ sessionToken }, changes)) ?? null,
    deleteSession: async (sessionToken) => (await (await sessions()).remove({ sessionToken }))[0] ?? null,
    describeSession: async (sessionToken, details) => {
      const table = await sessions()
      // Without the column, the engine would try again at every read, and each would write the row.
      if (table.map.columns.some(({ field }) => field === "details")) await table.update({ sessionToken }, { details })
    },
    listSessions: async (userId, limit) =>
      (await sessions()).find({ userId }, limit === undefined ? undefined : { field: "expires", limit }),
    deleteSessions: async (userId) => (await sessions()).clear({ userId }),
  }
}

type ReadSession = (sessionToken: string) => Promise<{ session: AdapterSession; user: AdapterUser } | null>

/** Every request with a session runs it, so it's a single query, and what depends on the layout only is computed once. */
function sessionReader(store: Store): ReadSession {
  let known: { readonly layout: Layout; readonly read: ReadSession } | undefined
  return async (sessionToken) => {
    const { layout } = await store.tables()
    if (known?.layout !== layout) known = { layout, read: readerOf(store, layout) }
    return known.read(sessionToken)
  }
}

function readerOf(store: Store, { tables: { users, sessions } }: Layout): ReadSession {
  const column = requireColumn(sessions.columns, "sessionToken")
  const [decodeSession, decodeUser] = [decoderOf(sessions, prefix), decoderOf(users)]
  const build = () => sql`select ${selection(users)}, ${selection(sessions, prefix)} from ${sql.id(sessions.name)}
    inner join ${sql.id(users.name)} on ${columnOf(users, "id")} = ${columnOf(sessions, "userId")}
    where ${condition([{ column, value: "" }], sessions, store.flavor)}`
  return async (sessionToken) => {
    const keys = [{ column, value: sessionToken }]
    if (!canMatch(keys)) return null
    const query = store.statements.query("session and user", build, keyParameters(keys))
    const [row] = (await store.run(query, sessions)).rows
    if (row === undefined) return null
    const found: Fields = Object(row)
    // The layout has a column for each field of a session and a user.
    return {
      session: decodeSession(found) as unknown as AdapterSession,
      user: decodeUser(found) as unknown as AdapterUser,
    }
  }
}

const prefix = "session."
