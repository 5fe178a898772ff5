import { toHex } from "../crypto/digest.js"
import { createVault } from "../crypto/vault.js"
import { AuthError, MissingAdapter } from "../errors.js"
import { eventsOf } from "../events.js"
import { sameOriginOnly } from "../http/redirect.js"
import { type Logger, loggerOf } from "../logger.js"
import type { Auth, Callbacks, Realm, SessionStrategy } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { JWT } from "../model/session.js"
import { type Runtime, systemRuntime } from "../runtime.js"
import { hasSessions, revocation } from "../session/revocation.js"
import { sealedSessions } from "../session/sealed.js"
import { storedSessions } from "../session/stored.js"
import { check } from "./check.js"
import { basePathOf, cookieTable, formerSessionCookies, lifetime, security as securityOf } from "./defaults.js"
import { toError } from "./problem-error.js"
import { resolveProvider } from "./providers.js"
import { wrapAdapter } from "./store.js"

/** Any configuration, whatever its callbacks return. */
export type AnyConfig = AuthConfig<JWT, unknown>

const compiled = new WeakMap<object, Auth | AuthError>()

/**
 * What the developer decided, worked out once for each configuration object: nothing of it is done per request.
 *
 * @throws AuthError naming every problem of the configuration
 */
export function compile(given: AnyConfig): Auth {
  let result = compiled.get(given)
  if (result === undefined) {
    // `S` is what the session callback returns: the engine passes it on and never looks into it.
    result = build(given as AuthConfig)
    compiled.set(given, result)
  }
  if (result instanceof AuthError) throw result
  return result
}

function build(config: AuthConfig): Auth | AuthError {
  const logger = loggerOf(config)
  const { errors: problems, warnings } = check(config)
  for (const { code, detail } of warnings) logger.warn(code, detail)
  if (config.debug === true) logger.warn("debug-enabled", "Debug messages are on: switch `debug` off in production")
  const error = problems.length === 0 ? undefined : toError(problems)
  if (error === undefined) return assemble(config, logger)
  logger.error(error)
  return error
}

function assemble(config: AuthConfig, logger: Logger): Auth {
  const runtime: Runtime = { ...systemRuntime, ...config.runtime }
  const security = securityOf(config)
  const store = config.adapter === undefined ? undefined : wrapAdapter(config.adapter, logger)
  const settled = {
    config,
    basePath: basePathOf(config),
    origin: config.url === undefined ? undefined : new URL(config.url).origin,
    providers: new Map(
      config.providers.map((given) => resolveProvider(given, config, runtime)).map((each) => [each.id, each]),
    ),
    secrets: [config.secret ?? []].flat(),
    strategy: config.session?.strategy ?? (store === undefined ? "jwt" : "database"),
    lifetime: lifetime(config),
    callbacks: callbacksOf(config),
    events: eventsOf(config, logger),
    store,
    pages: config.pages ?? {},
    theme: config.theme ?? { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
    modules: config.modules ?? [],
    security,
    logger,
    runtime,
    development: config.environment === "development",
  } as const
  warnOfMissingCapabilities(settled)
  return Object.freeze({ ...settled, http: realm(settled, false), https: realm(settled, true) })
}

/** A hardening that the store cannot carry out is said aloud once, not silently left out. */
function warnOfMissingCapabilities({ security, store, providers, logger }: Settled): void {
  if (![...providers.values()].some(({ type }) => type === "email")) return
  const wanted = [
    ...(security.newestEmailLinkOnly ? (["deleteVerificationTokens"] as const) : []),
    ...(security.reclaimMailbox ? (["deleteSessions", "listAccounts"] as const) : []),
  ]
  const missing = wanted.filter((method) => store?.[method] === undefined)
  if (missing.length === 0) return
  logger.warn(
    "store-capability-missing",
    `\`security\` asks for more than the adapter can do: it lacks ${missing.join(", ")}`,
  )
}

function callbacksOf({ callbacks = {} }: AuthConfig): Callbacks {
  return {
    signIn: callbacks.signIn?.bind(callbacks) ?? (() => true),
    redirect: callbacks.redirect?.bind(callbacks) ?? (async (params) => sameOriginOnly(params)),
    jwt: callbacks.jwt?.bind(callbacks),
    session: callbacks.session?.bind(callbacks),
  }
}

type Settled = Omit<Auth, "http" | "https">

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
