import { AuthError } from "../errors.js"
import { toAuthError } from "../primitives/to-auth-error.js"
import { loggerOf } from "../observability/logger.js"
import type { AuthContext, ProviderWithMethod } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { Logger } from "../model/logger.js"
import type { JWT } from "../model/session.js"
import { findProblems } from "./check/check.js"
import { toError } from "./check/problem.js"
import { type ReadProviders, readProviders } from "./read-providers.js"
import { repaired } from "./repair.js"
import { disabled, resolveProvider } from "./resolve-provider.js"
import { resolveSessionConfig } from "./session-config.js"

/** A configuration whose callbacks return any types. */
export type AnyConfig = AuthConfig<JWT, unknown>

const compiled = new WeakMap<object, AuthContext | AuthError>()

/**
 * Checks a configuration and resolves every default, once for each configuration object.
 *
 * @throws AuthError that lists every problem of the configuration
 */
export function compile(given: AnyConfig): AuthContext {
  let result = compiled.get(given)
  if (result === undefined) {
    // `S` is what the session callback returns. The engine passes it on and never reads it.
    result = build(given as AuthConfig)
    compiled.set(given, result)
  }
  if (result instanceof AuthError) throw result
  return result
}

function build(config: AuthConfig): AuthContext | AuthError {
  const logger = loggerOf(config)
  try {
    const read = readProviders(config)
    const { errors, tolerated, warnings } = findProblems(config, read)
    for (const { code, detail } of warnings) logger.warn(code, detail)
    if (config.debug) logger.warn("debug-enabled", "`debug` is on. Turn it off in production")
    if (errors.length === 0) return assemble(config, { providers: read.providers, problems: tolerated }, logger)
    return refused(toError(errors), logger)
  } catch (cause) {
    // A value of a type that no check knows.
    return refused(toAuthError(cause), logger)
  }
}

function refused(error: AuthError, logger: Logger): AuthError {
  logger.error(error)
  return error
}

function assemble(config: AuthConfig, read: ReadProviders, logger: Logger): AuthContext {
  const session = resolveSessionConfig(config, logger)
  const settled = repaired(config)
  const providers = new Map<string, ProviderWithMethod>()
  for (const { path, provider } of read.providers) {
    // Two providers with one id: the first one is used, as in Auth.js v5.
    if (providers.has(provider.id)) continue
    const problem = read.problems.find(({ disables }) => disables === path)
    const resolved = resolveProvider(provider, settled, session.runtime)
    providers.set(provider.id, problem === undefined ? resolved : disabled(resolved, toError([problem])))
  }
  const auth = Object.freeze({ ...session, providers })
  warnOfMissingMethods(auth)
  warnOfDeprecated(auth)
  return auth
}

function warnOfDeprecated({ providers, logger }: AuthContext): void {
  for (const provider of providers.values()) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue
    if (provider.deprecated !== undefined) {
      logger.warn("provider-deprecated", `The provider "${provider.id}" is deprecated. ${provider.deprecated}`)
    }
  }
}

const methodsFor = [
  ["newestEmailLinkOnly", "deleteVerificationTokens"],
  ["reclaimMailbox", "deleteSessions"],
  ["reclaimMailbox", "listAccounts"],
] as const

/** Without these methods the options still work in part, so this isn't an error. */
function warnOfMissingMethods({ security, adapter, providers, logger }: AuthContext): void {
  if (![...providers.values()].some(({ type }) => type === "email")) return
  const missing = methodsFor.filter(([option, method]) => security[option] && adapter?.[method] === undefined)
  if (missing.length === 0) return
  const methods = missing.map(([, method]) => method).join(", ")
  const options = [...new Set(missing.map(([option]) => `\`security.${option}\``))].join(" and ")
  const detail = `The adapter lacks ${methods}, which ${options} needs. Add the methods, or turn the option off`
  logger.warn("store-capability-missing", detail)
}
