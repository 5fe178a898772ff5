import { createVault } from "../crypto/vault.js"
import { toHex } from "../crypto/digest.js"
import { MissingAdapter } from "../errors.js"
import { eventsOf } from "../events.js"
import { sameOriginOnly } from "../http/redirect.js"
import type { Logger } from "../logger.js"
import type { Callbacks, Realm, SessionAuth, SessionStrategy } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import { type Runtime, systemRuntime } from "../runtime.js"
import { hasSessions, revocation } from "../session/revocation.js"
import { sealedSessions } from "../session/sealed.js"
import { storedSessions } from "../session/stored.js"
import { basePathOf, cookieTable, formerSessionCookies, lifetime, security as securityOf } from "./defaults.js"
import { wrapAdapter } from "./store.js"

/** What a configuration means for sessions. Whoever calls has checked it. */
export function settle(config: AuthConfig, logger: Logger): SessionAuth {
  const runtime: Runtime = { ...systemRuntime, ...config.runtime }
  const store = config.adapter === undefined ? undefined : wrapAdapter(config.adapter, logger)
  const settled = {
    config,
    basePath: basePathOf(config),
    origin: config.url === undefined ? undefined : new URL(config.url).origin,
    secrets: [config.secret ?? []].flat(),
    strategy: config.session?.strategy ?? (store === undefined ? "jwt" : "database"),
    lifetime: lifetime(config),
    callbacks: callbacksOf(config),
    events: eventsOf(config, logger),
    store,
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

type Settled = Omit<SessionAuth, "http" | "https">

function realm(auth: Settled, secure: boolean): Realm {
  const { config, runtime, security } = auth
  const cookies = cookieTable(config, secure)
  const former = formerSessionCookies(config, secure)
  const secrets = config.jwt?.secret === undefined ? auth.secrets : [config.jwt.secret].flat()
  const vault = createVault({ secrets, runtime, keyPerPurpose: security.keyPerPurpose })
  const salts: readonly [string, ...string[]] = [cookies.sessionToken.name, ...former.map(({ name }) => name)]
  const sessions = auth.strategy === "jwt" ? sealed(auth, vault, secrets, salts) : stored(auth)
  return Object.freeze({ secure, cookies, formerSessionCookies: former, sessions, vault })
}

function sealed(
  auth: Settled,
  vault: Realm["vault"],
  secrets: readonly string[],
  salts: readonly [string, ...string[]],
): SessionStrategy {
  const { store, runtime, security, lifetime } = auth
  return sealedSessions({
    ...auth,
    secrets,
    vault,
    salts,
    jwt: auth.config.jwt ?? {},
    revocation: security.revocableSessions && hasSessions(store) ? revocation(store, runtime) : undefined,
    keepsAuthTime: lifetime.absoluteMaxAge !== undefined || security.linking === "explicit",
  })
}

function stored(auth: Settled): SessionStrategy {
  const { store, config, runtime, security } = auth
  if (!hasSessions(store))
    throw new MissingAdapter("Database sessions need an adapter with session methods: set `adapter`")
  const generateSessionToken = config.session?.generateSessionToken ?? (() => toHex(runtime.random(32)))
  return storedSessions({ ...auth, store, generateSessionToken, hashed: security.hashSessionTokens })
}
