import { securityOf } from "./config/defaults.js"
import { resolveSessionConfig } from "./config/session-config.js"
import { AuthError, MissingSecret } from "./errors.js"
import { loggerOf } from "./observability/logger.js"
import type { Adapter } from "./model/adapter.js"
import type { SessionContext } from "./model/auth.js"
import type { AuthConfig } from "./model/config.js"
import type { SetCookie } from "./model/cookie.js"
import type { Visitor } from "./model/http.js"
import { type Lazily, loaded } from "./primitives/awaitable.js"
import type { JWT, Session } from "./model/session.js"
import { currentSession, type SessionView } from "./session/current.js"
import { toSessionRequest } from "./http/session-request.js"

export { serializeCookie } from "./http/cookie.js"
export { type Lazily, loaded } from "./primitives/awaitable.js"
export type { SessionView, SetCookie, Visitor }

/** The configuration without the ways to sign in. An adapter given lazily is loaded only if sessions need one. */
export interface SessionReaderConfig<T extends JWT = JWT, S = Session>
  extends Omit<AuthConfig<T, S>, "providers" | "adapter"> {
  readonly adapter?: Adapter | Lazily<Adapter> | undefined
}

/** Tells who a visitor is, and nothing else: for places that must start fast and stay small. */
export interface SessionReader<S = Session> {
  /** Who is this? With `readOnly` nothing is renewed: for callers that cannot set cookies. Never throws. */
  session(visitor: Visitor, options?: { readonly readOnly?: boolean }): Promise<SessionView<S>>
}

/**
 * What `createServer(config).session` does, without the engine around it. The configuration is not checked as a whole,
 * which the server does when it is first used; what a session cannot be read with is the `error` of each answer.
 *
 * @example
 * ```ts
 * import { createSessionReader } from "@latchkey/core/session-reader"
 *
 * const reader = createSessionReader({ secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG", trustHost: true })
 * const { session } = await reader.session({ headers: new Headers(), origin: "https://app.example" })
 * ```
 */
export function createSessionReader<T extends JWT = JWT, S = Session>(
  config: SessionReaderConfig<T, S>,
): SessionReader<S> {
  const logger = loggerOf(config)
  let settled: SessionContext | undefined
  let problem: AuthError | undefined
  return {
    async session(visitor, options) {
      try {
        settled ??= resolveSessionConfig(await readable(config), logger)
        // The engine treats what callbacks return as opaque; `S` is for the caller.
        return (await currentSession(settled, toSessionRequest(settled, visitor), options)) as SessionView<S>
      } catch (cause) {
        // Fails closed: a page that asks who is there must not render as if nobody had to be (spec/next.md §3).
        const error = toAuthError(cause)
        if (error.message !== problem?.message) logger.error(error)
        problem = error
        return { session: null, cookies: [], error }
      }
    },
  }
}

/** With a secret, and with the adapter if sessions live there. */
async function readable<T extends JWT, S>(given: SessionReaderConfig<T, S>): Promise<AuthConfig> {
  // `T` and `S` are what callbacks return: opaque to the engine.
  const config = { ...given, adapter: undefined, providers: [] } as unknown as AuthConfig
  if ([config.secret ?? []].flat().every((secret) => secret === "")) {
    throw new MissingSecret("There is no secret: set AUTH_SECRET, or `secret` in the configuration")
  }
  const { adapter } = given
  const isNeeded = config.session?.strategy !== "jwt" || securityOf(config).revocableSessions
  return adapter !== undefined && (isNeeded || typeof adapter !== "function")
    ? { ...config, adapter: await loaded(adapter) }
    : config
}

export function toAuthError(cause: unknown): AuthError {
  return cause instanceof AuthError ? cause : new AuthError(cause instanceof Error ? cause : String(cause))
}
