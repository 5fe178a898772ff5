import { securityOf } from "./config/presets.js"
import { repaired } from "./compat/repair.js"
import { resolveSessionConfig, uncheckedOf } from "./config/session-config.js"
import { type AuthError, MissingSecret } from "./errors.js"
import { toSessionRequest } from "./http/origin.js"
import type { Adapter } from "./model/adapter.js"
import type { SessionContext } from "./model/auth.js"
import type { AuthConfig } from "./model/config.js"
import type { SetCookie } from "./model/cookie.js"
import type { Visitor } from "./model/http.js"
import type { JWT, Session } from "./model/session.js"
import { forRequest } from "./observability/in-flight.js"
import { loggerOf } from "./observability/logger.js"
import { type Lazily, loaded } from "./primitives/awaitable.js"
import { toAuthError } from "./primitives/to-auth-error.js"
import { type SessionView, currentSession } from "./session/current.js"

export { accountFunctions, readingFunctions } from "./model/account.js"
export { isAuthRoute } from "./config/auth-routes.js"
export { securityMode } from "./config/presets.js"
export { isNavigation } from "./http/auth-request.js"
export { serializeCookie } from "./http/cookie.js"
export { mergeCookies, nameIn } from "./http/cookies-to-set.js"
export { isOutage } from "./observability/causes.js"
export {
  addModules,
  membersOf,
  type ModuleOptions,
  modulesIn,
  type WithMembers,
  withMembers,
} from "./module-kit/members.js"
export { preventCaching } from "./http/prevent-caching.js"
export { unavailable } from "./http/unavailable.js"
export { type Lazily, loaded } from "./primitives/awaitable.js"
export type { SessionView, SetCookie, Visitor }

/** A configuration without providers. An adapter given as a function is only loaded if sessions need it. */
export interface SessionReaderConfig<T extends JWT = JWT, S = Session>
  extends Omit<AuthConfig<T, S>, "providers" | "adapter"> {
  readonly adapter?: Adapter | Lazily<Adapter> | undefined
}

/** The session of a visitor, and where the site is. */
export interface ReaderView<S = Session> extends SessionView<S> {
  /** The origin of the site as the browser sees it. `undefined`: the host of the request isn't trusted, or nothing could be read. */
  readonly origin?: string
}

/** Reads sessions and does nothing else, for code that must start fast and stay small, such as middleware. */
export interface SessionReader<S = Session> {
  /** Gets the current session. Pass `readOnly` if you can't set cookies: nothing is renewed then. Never throws. */
  session(visitor: Visitor, options?: { readonly readOnly?: boolean }): Promise<ReaderView<S>>
}

/**
 * Like `createServer(config).session`, but without the code for sign-in. It doesn't check the whole configuration; a
 * problem that keeps it from reading sessions is the `error` of each result.
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
  // An adapter that isn't loaded is still one.
  const forReader = { unchecked: uncheckedOf(config, { isReader: true }) }
  let settled: SessionContext | undefined
  let problem: AuthError | undefined
  return {
    async session(visitor, options) {
      try {
        settled ??= resolveSessionConfig(repaired(await readable(config)), logger, undefined, forReader)
        const auth = forRequest(settled, visitor)
        const request = toSessionRequest(auth, visitor)
        // The engine doesn't look into what callbacks return, so `S` only matters to the caller.
        const view = (await currentSession(auth, request, options)) as SessionView<S>
        return { ...view, origin: request.origin }
      } catch (cause) {
        // Fails closed: with an error, a page knows that "no session" isn't certain.
        const error = toAuthError(cause)
        if (error.message !== problem?.message) logger.forRequest(visitor).error(error)
        problem = error
        return { session: null, cookies: [], error }
      }
    },
  }
}

/** The configuration with its adapter loaded, if sessions need it. */
async function readable<T extends JWT, S>(given: SessionReaderConfig<T, S>): Promise<AuthConfig> {
  // The engine doesn't look into what callbacks return, so `T` and `S` only matter to the caller.
  const config = { ...given, adapter: undefined, providers: [] } as unknown as AuthConfig
  if (repaired(config).secret === undefined) {
    throw new MissingSecret(
      "No secret is set. Add AUTH_SECRET (run `npx latchkey secret`) or `secret` to the configuration",
    )
  }
  const { adapter } = given
  const isNeeded = config.session?.strategy !== "jwt" || securityOf(config).revocableSessions
  return adapter !== undefined && (isNeeded || typeof adapter !== "function")
    ? { ...config, adapter: await loaded(adapter) }
    : config
}
