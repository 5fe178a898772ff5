import type { Adapter, AdapterSession } from "@latchkey/core/adapters"
import { fromJson, toDate, toJson } from "./codec.js"
import { detailsOf, mergeDetails } from "./details.js"
import { sessionColumns, type SessionRow, type UserRow, userColumns } from "./schema.js"
import type { Store } from "./store.js"
import { userOf } from "./users.js"

type SessionMethods = Required<
  Pick<
    Adapter,
    | "createSession"
    | "getSessionAndUser"
    | "updateSession"
    | "deleteSession"
    | "describeSession"
    | "listSessions"
    | "deleteSessions"
  >
>

export function sessionMethods(store: Store): SessionMethods {
  const { db, codec } = store
  const all = db.selectFrom("sessions").select(sessionColumns)
  return {
    createSession: async (session) => {
      const { sessionToken, userId, expires } = session
      const row = { session_token: sessionToken, user_id: userId, expires: codec.instant(expires) }
      await store.write(db.insertInto("sessions").values({ ...row, extra: toJson(extraOf(session)), details: null }))
      return session
    },
    getSessionAndUser: sessionReader(store),
    updateSession: (session) => updateSession(store, session),
    deleteSession: async (sessionToken) => {
      const query = db.deleteFrom("sessions").where("session_token", "=", sessionToken).returning(sessionColumns)
      return firstSession(await store.write(query))
    },
    describeSession: async (sessionToken, details) =>
      store.transact(async ({ db: inside, codec: { locksRows }, read, write }) => {
        const query = inside.selectFrom("sessions").select("details").where("session_token", "=", sessionToken)
        const [row] = await read(locksRows ? query.forUpdate() : query)
        const changes = { details: mergeDetails(row?.details, details) }
        await write(inside.updateTable("sessions").set(changes).where("session_token", "=", sessionToken))
      }),
    listSessions: async (userId) => (await store.read(all.where("user_id", "=", userId))).map(sessionOf),
    deleteSessions: async (userId) => {
      await store.write(db.deleteFrom("sessions").where("user_id", "=", userId))
    },
  }
}

interface SessionUserRow extends UserRow, Pick<SessionRow, "user_id" | "expires"> {
  session_extra: SessionRow["extra"]
  session_details: SessionRow["details"]
}

/** Compiles the query only once, because every request with a session runs it. */
function sessionReader(store: Store): SessionMethods["getSessionAndUser"] {
  const compile = () => joinOf(store).compile()
  let compiled: ReturnType<typeof compile> | undefined
  return async (sessionToken) => {
    compiled ??= compile()
    const [row] = await store.read<SessionUserRow>({ ...compiled, parameters: [sessionToken] })
    if (!row) return null
    const { user_id, expires, session_extra, session_details } = row
    return {
      session: sessionOf({
        session_token: sessionToken,
        user_id,
        expires,
        extra: session_extra,
        details: session_details,
      }),
      user: userOf(row),
    }
  }
}

function joinOf({ db }: Store) {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(userColumns)
    .select(["sessions.user_id", "sessions.expires", "sessions.extra as session_extra"])
    .select("sessions.details as session_details")
    .where("sessions.session_token", "=", "")
}

type SessionChanges = Parameters<SessionMethods["updateSession"]>[0]

/** Needs a transaction only to merge fields without a column into the stored ones. */
async function updateSession(store: Store, session: SessionChanges): Promise<AdapterSession | null> {
  const { sessionToken, userId, expires } = session
  const extra = extraOf(session)
  const columns = {
    ...(userId !== undefined && { user_id: userId }),
    ...(expires !== undefined && { expires: store.codec.instant(expires) }),
  }
  if (Object.keys(extra).length === 0) return change(store, sessionToken, columns)
  return store.transact(async (inside) =>
    change(inside, sessionToken, { ...columns, extra: await mergeExtra(inside, sessionToken, extra) }),
  )
}

async function change(
  { db, write }: Store,
  session_token: string,
  columns: Partial<SessionRow>,
): Promise<AdapterSession | null> {
  // Sets the token too, because SQL doesn't allow an update without columns.
  const changes = db.updateTable("sessions").set({ ...columns, session_token })
  return firstSession(await write(changes.where("session_token", "=", session_token).returning(sessionColumns)))
}

async function mergeExtra({ db, codec, read }: Store, sessionToken: string, extra: object): Promise<string> {
  const query = db.selectFrom("sessions").select("extra").where("session_token", "=", sessionToken)
  const [row] = await read(codec.locksRows ? query.forUpdate() : query)
  return toJson({ ...(row && fromJson(row.extra)), ...extra })
}

/** Additional fields that an application stores in a session. */
function extraOf(session: Partial<AdapterSession>): object {
  const { sessionToken: _sessionToken, userId: _userId, expires: _expires, details: _details, ...extra } = session
  return extra
}

function firstSession([row]: readonly SessionRow[]): AdapterSession | null {
  return row ? sessionOf(row) : null
}

function sessionOf({ session_token, user_id, expires, extra, details }: SessionRow): AdapterSession {
  const row = { sessionToken: session_token, userId: user_id, expires: toDate(expires) }
  return { ...fromJson(extra), ...row, ...detailsOf(details) }
}
