import { AuthError } from "../errors.js"
import type { Logger } from "../model/logger.js"
import { loggerOf } from "../observability/logger.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { JWT } from "../model/session.js"
import { check } from "./check/check.js"
import { toError } from "./check/problem-error.js"
import { resolveProvider } from "./providers.js"
import { resolveSessionConfig } from "./session-config.js"

/** Any configuration, whatever its callbacks return. */
export type AnyConfig = AuthConfig<JWT, unknown>

const compiled = new WeakMap<object, AuthContext | AuthError>()

/**
 * What the developer decided, worked out once for each configuration object: nothing of it is done per request.
 *
 * @throws AuthError naming every problem of the configuration
 */
export function compile(given: AnyConfig): AuthContext {
  let result = compiled.get(given)
  if (result === undefined) {
    // `S` is what the session callback returns: the engine passes it on and never looks into it.
    result = build(given as AuthConfig)
    compiled.set(given, result)
  }
  if (result instanceof AuthError) throw result
  return result
}

function build(config: AuthConfig): AuthContext | AuthError {
  const logger = loggerOf(config)
  const { errors: problems, warnings } = check(config)
  for (const { code, detail } of warnings) logger.warn(code, detail)
  if (config.debug === true) logger.warn("debug-enabled", "Debug messages are on: switch `debug` off in production")
  const error = problems.length === 0 ? undefined : toError(problems)
  if (error === undefined) return assemble(config, logger)
  logger.error(error)
  return error
}

function assemble(config: AuthConfig, logger: Logger): AuthContext {
  const settled = resolveSessionConfig(config, logger)
  const resolved = config.providers.map((given) => resolveProvider(given, config, settled.runtime))
  const auth = Object.freeze({ ...settled, providers: new Map(resolved.map((each) => [each.id, each])) })
  warnOfMissingCapabilities(auth)
  warnOfDeprecated(auth)
  return auth
}

/** Once for each configuration: what still works today may not tomorrow. */
function warnOfDeprecated({ providers, logger }: AuthContext): void {
  for (const provider of providers.values()) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue
    if (provider.deprecated !== undefined) {
      logger.warn("provider-deprecated", `The provider "${provider.id}" is deprecated. ${provider.deprecated}`)
    }
  }
}

/** A hardening that the store cannot carry out is said aloud once, not silently left out. */
function warnOfMissingCapabilities({ security, adapter, providers, logger }: AuthContext): void {
  if (![...providers.values()].some(({ type }) => type === "email")) return
  const wanted = [
    ...(security.newestEmailLinkOnly ? (["deleteVerificationTokens"] as const) : []),
    ...(security.reclaimMailbox ? (["deleteSessions", "listAccounts"] as const) : []),
  ]
  const missing = wanted.filter((method) => adapter?.[method] === undefined)
  if (missing.length === 0) return
  logger.warn(
    "store-capability-missing",
    `\`security\` asks for more than the adapter can do: it lacks ${missing.join(", ")}`,
  )
}
