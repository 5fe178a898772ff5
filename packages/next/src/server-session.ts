import type { SessionReaderConfig } from "@latchkey/core/session-reader"
import type { Session, User } from "@latchkey/core/types"
import { warnOnce } from "./warn.js"

type SessionCallback = NonNullable<NonNullable<SessionReaderConfig["callbacks"]>["session"]>

/**
 * `auth()` returns more than the session route does, as in next-auth: without a `session` callback, a session in the
 * database has the `id` of its user, and a callback that returns no `user` gets one. Code on the server can read the other
 * columns too. A copy of the session doesn't have them, because they may be secrets such as a password hash, and pages pass
 * sessions to Client Components.
 */
export function withServerUser(config: SessionReaderConfig, warned: Set<string>): SessionReaderConfig {
  const given = config.callbacks?.session?.bind(config.callbacks)
  if (given === undefined && !hasStoredSessions(config)) return config
  const session: SessionCallback = async (params) => {
    const { session, user } = params
    if (given === undefined) warnOfHidden(user, config.logger, warned)
    const returned: unknown = await given?.(params)
    const shown = returned ?? { expires: new Date(session.expires).toISOString() }
    if (typeof shown !== "object" || "user" in shown) return shown as Session
    const completed = { ...shown, user: user === undefined ? session.user : withHidden(columnsOf(user), user) }
    return (returned === undefined || returned === null ? withHidden(completed, session) : completed) as Session
  }
  return { ...config, callbacks: { ...config.callbacks, session } }
}

/**
 * Adds fields that can be read by name and don't exist otherwise. Not with `enumerable: false`: React warns of such an object
 * that is passed to a Client Component.
 */
function withHidden<T extends object>(shown: T, row: object): T {
  const hidden = asJson(row)
  const get = (target: T, key: string | symbol): unknown =>
    key in target || !Object.hasOwn(hidden, key) ? Reflect.get(target, key) : Reflect.get(hidden, key)
  return new Proxy(shown, { get })
}

/** In next-auth, a session has been JSON, so dates are texts. A row with a `bigint` can't be JSON. */
function asJson(row: object): object {
  try {
    const parsed: unknown = JSON.parse(JSON.stringify(row))
    return typeof parsed === "object" && parsed !== null ? parsed : {}
  } catch {
    return row
  }
}

function hasStoredSessions({ session, adapter }: SessionReaderConfig): boolean {
  return (session?.strategy ?? (adapter === undefined ? "jwt" : "database")) === "database"
}

const standard: ReadonlySet<string> = new Set(["id", "name", "email", "image", "emailVerified"])

/** In next-auth, copies have every column, so an application may read one in a Client Component. */
function warnOfHidden(user: User | undefined, logger: SessionReaderConfig["logger"], warned: Set<string>): void {
  const hidden = Object.keys(user ?? {}).filter((column) => !standard.has(column))
  if (hidden.length === 0) return
  const detail = `Client Components and JSON don't get these columns of the user in the session of auth(): ${hidden.join(", ")}. Return those that they need from a \`session\` callback`
  warnOnce({ logger, warned }, "user-columns-omitted", detail)
}

function columnsOf({ id, name, email, image }: User): User {
  const columns = Object.entries({ id, name, email, image })
  return Object.fromEntries(columns.filter(([, value]) => value !== undefined))
}
