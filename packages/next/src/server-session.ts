import type { SessionReaderConfig } from "@latchkey/core/session-reader"
import type { Session, User } from "@latchkey/core/types"

type SessionCallback = NonNullable<NonNullable<SessionReaderConfig["callbacks"]>["session"]>

/**
 * `auth()` returns more than the session route does, as in next-auth: without a `session` callback, a session in the
 * database has the `id` of its user, and a callback that returns no `user` gets one. Other columns of the user's row,
 * such as a password hash, only come from a callback.
 */
export function withServerUser(config: SessionReaderConfig): SessionReaderConfig {
  const given = config.callbacks?.session?.bind(config.callbacks)
  if (given === undefined && !hasStoredSessions(config)) return config
  const warnOfOmitted = given === undefined ? omissionWarning(config) : undefined
  const session: SessionCallback = async (params) => {
    const { session, user } = params
    warnOfOmitted?.(user)
    const returned: unknown = await given?.(params)
    const shown = returned ?? { expires: session.expires }
    if (typeof shown !== "object" || "user" in shown) return shown as Session
    return { ...shown, user: user === undefined ? session.user : columnsOf(user) } as Session
  }
  return { ...config, callbacks: { ...config.callbacks, session } }
}

function hasStoredSessions({ session, adapter }: SessionReaderConfig): boolean {
  return (session?.strategy ?? (adapter === undefined ? "jwt" : "database")) === "database"
}

const standard: ReadonlySet<string> = new Set(["id", "name", "email", "image", "emailVerified"])

/** next-auth returned every column, so an application may read one that is missing here. */
function omissionWarning({ logger }: SessionReaderConfig): (user: User | undefined) => void {
  let isDone = false
  return (user) => {
    const omitted = Object.keys(user ?? {}).filter((column) => !standard.has(column))
    if (isDone || omitted.length === 0) return
    isDone = true
    const warn = logger?.warn?.bind(logger) ?? console.warn
    const detail = `auth() doesn't return these columns of the user: ${omitted.join(", ")}. Return those that you need from a \`session\` callback`
    warn("user-columns-omitted", detail)
  }
}

function columnsOf({ id, name, email, image }: User): User {
  const columns = Object.entries({ id, name, email, image })
  return Object.fromEntries(columns.filter(([, value]) => value !== undefined))
}
