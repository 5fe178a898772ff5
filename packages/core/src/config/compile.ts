import { type AuthError, InvalidConfig } from "../errors.js"
import type { AuthContext, ProviderWithMethod } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { ProviderConfig } from "../model/given-provider.js"
import type { Logger } from "../model/logger.js"
import type { JWT } from "../model/session.js"
import { auditOf } from "../observability/audit.js"
import { giveId } from "../observability/error-reports.js"
import { loggerOf } from "../observability/logger.js"
import { createThrottle } from "../observability/throttle.js"
import { once } from "../primitives/awaitable.js"
import { type Recent, createRecent } from "../primitives/recent.js"
import { type Runtime, systemRuntime } from "../primitives/runtime.js"
import { type Site, stateOf } from "../primitives/state.js"
import { toAuthError } from "../primitives/to-auth-error.js"
import { findProblems, findUnknownOptions, toWarning } from "./check/check.js"
import { toError } from "./check/problem.js"
import { securityMode } from "./presets.js"
import { type EngineFeatures, type ProviderFeatures, featureOf } from "./feature.js"
import { type ReadProviders, readProviders } from "./read-providers.js"
import { repaired } from "../compat/repair.js"
import { resolveSessionConfig, siteOfConfig } from "./session-config.js"

/** A configuration whose callbacks return any types. */
export type AnyConfig = AuthConfig<JWT, unknown>

const compiled = new WeakMap<object, AuthContext | AuthError>()

/**
 * Checks a configuration and resolves every default, once for each configuration. A new object with the same content is the
 * same configuration. If only its functions are new, it's resolved anew, and the state of its site continues.
 *
 * @throws AuthError that lists every problem of the configuration
 */
export function compile(features: EngineFeatures, given: AnyConfig): AuthContext {
  // `S` is what the session callback returns. The engine passes it on and never reads it.
  const result = compiled.get(given) ?? compileNew(features, given as AuthConfig)
  compiled.set(given, result)
  if (result instanceof Error) throw result
  return result
}

/** They keep what callbacks close over, such as a request, so they are few. */
const maxRecent = 8

type Results = Recent<AuthConfig, AuthContext | AuthError>

/** Not part of the state of the site: another copy of this module has error classes of its own. */
const recents = new WeakMap<Site, Results>()

function recentOf(site: Site): Results {
  const recent = recents.get(site) ?? createRecent(maxRecent)
  recents.set(site, recent)
  return recent
}

/** A configuration function may also make a new logger for each request. */
const maxLoggers = 10

const warningsOf = stateOf("warnings", () => createThrottle({ maxListeners: maxLoggers }))

function compileNew(features: EngineFeatures, config: AuthConfig): AuthContext | AuthError {
  let resolved: readonly object[] = []
  const logger = loggerOf(config, () => resolved)
  try {
    const settled = repaired(config)
    const site = siteOfConfig(settled)
    const recent = recentOf(site)
    const equal = recent.find(config)
    if (equal !== undefined) return equal
    const warnings = warningsOf({ site })
    const warn: Logger["warn"] = (code, detail) => {
      if (warnings.allows(`${code} ${detail}`, config.logger ?? warnings, 0)) logger.warn(code, detail)
    }
    const result = build(config, { features, settled, site, logger, warn })
    if (!(result instanceof Error)) resolved = [...result.providers.values()]
    recent.add(config, result)
    return result
  } catch (cause) {
    // A value of a type that no check knows.
    return refused(toAuthError(cause), logger)
  }
}

/**
 * The same. Under `"strict"`, it also waits until the names of all options are checked, once for each configuration.
 *
 * @throws AuthError that lists every problem of the configuration, or every unknown option
 */
export function compileChecked(features: EngineFeatures, given: AnyConfig): AuthContext | Promise<AuthContext> {
  const auth = compile(features, given)
  const check = checks.get(auth.providers)
  if (check === undefined || !check.isStrict) return auth
  return check.run().then(() => {
    checks.delete(auth.providers)
    return auth
  })
}

interface Building {
  readonly features: EngineFeatures
  readonly settled: AuthConfig
  readonly site: Site
  readonly logger: Logger
  readonly warn: Logger["warn"]
}

function build(config: AuthConfig, building: Building): AuthContext | AuthError {
  const { features, logger, warn } = building
  const read = readProviders(features.providers, config)
  const { errors, tolerated, warnings } = findProblems(features.providers, config, read)
  for (const { code, detail } of warnings) warn(code, detail)
  if (config.debug) warn("debug-enabled", "`debug` is on. Turn it off in production")
  if (errors.length > 0) return refused(toError(errors), logger)
  const auth = assemble({ providers: read.providers, problems: tolerated }, building)
  for (const { warningsOnceCompiled } of features.providers)
    for (const { code, detail } of warningsOnceCompiled?.(auth) ?? []) warn(code, detail)
  const isStrict = securityMode(config) === "strict"
  planOptionCheck(auth, { isStrict, run: once(async () => reportUnknownOptions(config, read, building)) })
  return auth
}

/** @throws AuthError under `"strict"`, if there are any */
async function reportUnknownOptions(config: AuthConfig, read: ReadProviders, building: Building): Promise<void> {
  const { logger, warn } = building
  const found = await findUnknownOptions(config, read).catch((cause: unknown) => {
    // A deployment without the file is no reason to refuse requests.
    logger.error(toAuthError(cause))
    return []
  })
  if (found.length > 0 && securityMode(config) === "strict") throw refused(toError(found), logger)
  for (const { code, detail } of found.map(toWarning)) warn(code, detail)
}

function refused(error: AuthError, logger: Logger): AuthError {
  giveId(error, systemRuntime.random)
  logger.error(error)
  return error
}

function assemble(read: ReadProviders, { features, settled, site, logger }: Building): AuthContext {
  const session = resolveSessionConfig(settled, logger, { site })
  const providers = new Map<string, ProviderWithMethod>()
  for (const { path, provider } of read.providers) {
    // Two providers with one id: the first one is used, as in Auth.js v5.
    if (providers.has(provider.id)) continue
    const problem = read.problems.find(({ disables }) => disables === path)
    const resolved = resolveProvider(features.providers, provider, settled, session.runtime)
    providers.set(provider.id, problem === undefined ? resolved : disabled(resolved, toError([problem])))
  }
  const updateProfile = settled.callbacks?.updateProfile ?? undefined
  const auth = { ...session, providers, features, updateProfile, place: settled.session?.place }
  return Object.freeze({ ...auth, audit: auditOf(auth, settled) })
}

/** @throws InvalidEndpoints if an endpoint isn't a URL */
export function resolveProvider(
  features: ProviderFeatures,
  provider: ProviderConfig,
  config: AuthConfig,
  runtime: Runtime,
): ProviderWithMethod {
  const feature = featureOf(features, provider)
  if (feature === undefined) throw new InvalidConfig(`The type of the provider "${provider.id}" is unknown`)
  const method = provider.method ?? (() => feature.load(provider))
  return Object.freeze({ ...feature.resolve(provider, config, runtime), method })
}

/** A provider with a problem that Auth.js v5 only finds when the provider is used. */
function disabled(provider: ProviderWithMethod, problem: AuthError): ProviderWithMethod {
  const refuse = (): Promise<never> => Promise.reject(problem)
  const steps = (): never => {
    throw problem
  }
  return Object.freeze({ ...provider, method: () => Promise.resolve({ start: refuse, finish: refuse, steps }) })
}

/** The check for unknown options, which a configuration doesn't have anymore once it's done. */
interface OptionCheck {
  /** Unknown options are errors, so no response may come before it. */
  readonly isStrict: boolean
  /** @throws AuthError under `"strict"`, if an option is unknown */
  readonly run: () => Promise<void>
}

/** By the providers, because a request has a copy of the compiled configuration. */
const checks = new WeakMap<AuthContext["providers"], OptionCheck>()

function planOptionCheck({ providers }: AuthContext, check: OptionCheck): void {
  checks.set(providers, check)
}

/** Starts the check if unknown options are only warnings. Call it after a response, which must not wait. */
export function checkOptionsLater({ providers }: AuthContext): void {
  const check = checks.get(providers)
  if (check === undefined || check.isStrict) return
  checks.delete(providers)
  void check.run()
}
