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
  const session: SessionCallback = async (params) => {
    const { session, user } = params
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

function columnsOf({ id, name, email, image }: User): User {
  const columns = Object.entries({ id, name, email, image })
  return Object.fromEntries(columns.filter(([, value]) => value !== undefined))
}
