import { createTokenSealer } from "../crypto/token-sealer.js"
import { toHex } from "../crypto/digest.js"
import { MissingAdapter } from "../errors.js"
import { eventsOf } from "../observability/events.js"
import { sameOriginOnly } from "../http/redirect.js"
import type { Logger } from "../observability/logger.js"
import type { Callbacks, SchemeContext, SessionContext, SessionStrategy } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import { type Runtime, systemRuntime } from "../primitives/runtime.js"
import { hasSessions, revocation } from "../session/revocation.js"
import { jwtSessions } from "../session/jwt-sessions.js"
import { databaseSessions } from "../session/database-sessions.js"
import { basePathOf, cookieTable, formerSessionCookies, lifetime, security as securityOf } from "./defaults.js"
import { wrapAdapter } from "./wrap-adapter.js"

/** What a configuration means for sessions. Whoever calls has checked it. */
export function resolveSessionConfig(config: AuthConfig, logger: Logger): SessionContext {
  const runtime: Runtime = { ...systemRuntime, ...config.runtime }
  const adapter = config.adapter === undefined ? undefined : wrapAdapter(config.adapter, logger)
  const settled = {
    config,
    basePath: basePathOf(config),
    origin: config.url === undefined ? undefined : new URL(config.url).origin,
    secrets: [config.secret ?? []].flat(),
    strategy: config.session?.strategy ?? (adapter === undefined ? "jwt" : "database"),
    lifetime: lifetime(config),
    callbacks: callbacksOf(config),
    events: eventsOf(config, logger),
    adapter,
    pages: config.pages ?? {},
    theme: config.theme ?? { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
    modules: config.modules ?? [],
    security: securityOf(config),
    logger,
    runtime,
    development: config.environment === "development",
  } as const
  return { ...settled, http: realm(settled, false), https: realm(settled, true) }
}

function callbacksOf({ callbacks = {} }: AuthConfig): Callbacks {
  return {
    signIn: callbacks.signIn?.bind(callbacks) ?? (() => true),
    redirect: callbacks.redirect?.bind(callbacks) ?? (async (params) => sameOriginOnly(params)),
    jwt: callbacks.jwt?.bind(callbacks),
    session: callbacks.session?.bind(callbacks),
  }
}

type Settled = Omit<SessionContext, "http" | "https">

function realm(auth: Settled, secure: boolean): SchemeContext {
  const { config, runtime, security } = auth
  const cookies = cookieTable(config, secure)
  const former = formerSessionCookies(config, secure)
  const secrets = config.jwt?.secret === undefined ? auth.secrets : [config.jwt.secret].flat()
  const sealer = createTokenSealer({ secrets, runtime, keyPerPurpose: security.keyPerPurpose })
  const salts: readonly [string, ...string[]] = [cookies.sessionToken.name, ...former.map(({ name }) => name)]
  const sessions = auth.strategy === "jwt" ? sealed(auth, sealer, secrets, salts) : stored(auth)
  return Object.freeze({ secure, cookies, formerSessionCookies: former, sessions, sealer })
}

function sealed(
  auth: Settled,
  sealer: SchemeContext["sealer"],
  secrets: readonly string[],
  salts: readonly [string, ...string[]],
): SessionStrategy {
  const { adapter, runtime, security, lifetime } = auth
  return jwtSessions({
    ...auth,
    secrets,
    sealer,
    salts,
    jwt: auth.config.jwt ?? {},
    revocation: security.revocableSessions && hasSessions(adapter) ? revocation(adapter, runtime) : undefined,
    keepsAuthTime: lifetime.absoluteMaxAge !== undefined || security.linking === "explicit",
  })
}

function stored(auth: Settled): SessionStrategy {
  const { adapter, config, runtime, security } = auth
  if (!hasSessions(adapter))
    throw new MissingAdapter("Database sessions need an adapter with session methods: set `adapter`")
  const generateSessionToken = config.session?.generateSessionToken ?? (() => toHex(runtime.random(32)))
  return databaseSessions({ ...auth, adapter, generateSessionToken, hashed: security.hashSessionTokens })
}
