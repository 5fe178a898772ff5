import { AdapterError, AuthError } from "../errors.js"
import type { Logger } from "../model/logger.js"
import type { Adapter } from "../model/adapter.js"
import { namedSecrets } from "../observability/collect-secrets.js"
import { mayQuote } from "../observability/in-flight.js"
import { exactRows } from "./exact-rows.js"
import { isGone, missingAsNull } from "./lenient-results.js"

const methods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
  "listAccounts",
  "updateAccount",
  "updateAuthenticator",
  "deleteAuthenticator",
  "describeAuthenticator",
  "describeSession",
  "listSessions",
  "deleteSessions",
  "getVerificationToken",
  "deleteVerificationTokens",
] as const satisfies readonly Exclude<keyof Adapter, "rateLimits" | "records">[]

/** The argument is a session token. The logger redacts it by this name. */
const bySessionToken: ReadonlySet<string> = new Set(["getSessionAndUser", "deleteSession", "describeSession"])

/**
 * Calls methods with their `this`, logs each call at debug level, and turns errors into `AdapterError`s. A missing row is `null`,
 * and deleting it again isn't an error, whatever the adapter does then. A row of another key counts as missing.
 */
export function wrapAdapter(adapter: Adapter, logger: Logger): Adapter {
  const wrapped: Record<string, unknown> = {}
  for (const name of methods) if (typeof adapter[name] === "function") wrapped[name] = guarded(adapter, name, logger)
  const { transaction } = adapter
  if (transaction !== undefined) {
    wrapped["transaction"] = async (work: (inside: Adapter) => Promise<unknown>) => {
      try {
        return await transaction.call(adapter, (inside) => work(wrapAdapter(inside, logger)))
      } catch (cause) {
        throw toAdapterError(cause, "transaction")
      }
    }
  }
  return Object.freeze(wrapped)
}

function guarded(
  adapter: Adapter,
  name: (typeof methods)[number],
  logger: Logger,
): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    logger.debug(`adapter_${name}`, () => (bySessionToken.has(name) ? { sessionToken: args[0] } : { args }))
    try {
      const result = await (adapter[name] as (...args: unknown[]) => unknown).apply(adapter, args)
      return await exactRows(adapter, name, args, missingAsNull(name, result))
    } catch (cause) {
      if (await isGone(adapter, name, args)) return null
      const secrets = () => (bySessionToken.has(name) ? namedSecrets({ sessionToken: args[0] }) : namedSecrets(args))
      throw mayQuote(toAdapterError(cause, name), secrets)
    }
  }
}

export function toAdapterError(cause: unknown, method: string): AuthError {
  if (cause instanceof AuthError) return cause
  const error = cause instanceof Error ? cause : new Error(String(cause))
  return new AdapterError(`The adapter's ${method} method failed. See the cause for the error of the database`, {
    cause: error,
    method,
  })
}
