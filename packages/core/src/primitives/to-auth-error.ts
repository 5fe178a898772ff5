import { AuthError } from "../errors.js"

export function toAuthError(cause: unknown): AuthError {
  return cause instanceof AuthError ? cause : new AuthError(cause instanceof Error ? cause : String(cause))
}
