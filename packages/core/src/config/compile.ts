import { AuthError } from "../errors.js"
import { type Logger, loggerOf } from "../logger.js"
import type { Auth } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { JWT } from "../model/session.js"
import { check } from "./check.js"
import { toError } from "./problem-error.js"
import { resolveProvider } from "./providers.js"
import { settle } from "./settle.js"

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
  const settled = settle(config, logger)
  const resolved = config.providers.map((given) => resolveProvider(given, config, settled.runtime))
  const auth = Object.freeze({ ...settled, providers: new Map(resolved.map((each) => [each.id, each])) })
  warnOfMissingCapabilities(auth)
  warnOfDeprecated(auth)
  return auth
}

/** Once for each configuration: what still works today may not tomorrow. */
function warnOfDeprecated({ providers, logger }: Auth): void {
  for (const provider of providers.values()) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue
    if (provider.deprecated !== undefined) {
      logger.warn("provider-deprecated", `The provider "${provider.id}" is deprecated. ${provider.deprecated}`)
    }
  }
}

/** A hardening that the store cannot carry out is said aloud once, not silently left out. */
function warnOfMissingCapabilities({ security, store, providers, logger }: Auth): void {
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
