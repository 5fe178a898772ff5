import { AuthError } from "../errors.js"
import { loggerOf } from "../observability/logger.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { Logger } from "../model/logger.js"
import type { JWT } from "../model/session.js"
import { findProblems } from "./check/check.js"
import { toError } from "./check/problem.js"
import { type ReadProvider, readProviders } from "./read-providers.js"
import { resolveProvider } from "./resolve-provider.js"
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
  const read = readProviders(config)
  const { errors, warnings } = findProblems(config, read)
  for (const { code, detail } of warnings) logger.warn(code, detail)
  if (config.debug === true) logger.warn("debug-enabled", "`debug` is on. Turn it off in production")
  if (errors.length === 0) return assemble(config, read.providers, logger)
  const error = toError(errors)
  logger.error(error)
  return error
}

function assemble(config: AuthConfig, read: readonly ReadProvider[], logger: Logger): AuthContext {
  const session = resolveSessionConfig(config, logger)
  const providers = read.map(({ provider }) => resolveProvider(provider, config, session.runtime))
  const auth = Object.freeze({ ...session, providers: new Map(providers.map((each) => [each.id, each])) })
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
