import { AuthError } from "../errors.js"
import type { AuthConfig } from "../model/config.js"

/**
 * Frameworks may show the message, the stack and the cause of an error to users, in production too. The log has them, with the
 * same ID.
 *
 * @returns except in development, an error of the same class that says nothing about the configuration
 */
export function withoutDetails(error: unknown, { environment }: Pick<AuthConfig, "environment">): unknown {
  // An error that isn't in the log, such as that of a call after the response, is the only one that says what happened.
  if (environment === "development" || !(error instanceof AuthError) || error.id === undefined) return error
  const message = `The server has a problem. Its log has the details (error ID ${error.id})`
  const shown: unknown = Reflect.construct(error.constructor, [message])
  return Object.assign(shown as AuthError, { id: error.id, stack: `${error.name}: ${message}` })
}
