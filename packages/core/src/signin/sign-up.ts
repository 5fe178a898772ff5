import { AccessDenied, AuthError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { CallbacksOptions, NewUserFields } from "../model/callbacks.js"
import type { Awaitable } from "../model/user.js"

export type SignUpParams = Parameters<NonNullable<CallbacksOptions["signUp"]>>[0]

/** What was proven decides these. A key named `__proto__` would replace the prototype of what an adapter copies. */
const fixed: ReadonlySet<string> = new Set(["id", "email", "emailVerified", "__proto__"])

/**
 * Asks the `signUp` callback, before a user is created, and returns what it adds to the user.
 *
 * @throws AccessDenied if the callback refuses or throws; an `AuthError` that it throws passes unchanged
 */
export async function askSignUp(
  { callbacks: { signUp } }: Pick<AuthContext, "callbacks">,
  paramsOf: () => SignUpParams,
): Promise<NewUserFields> {
  if (signUp === undefined) return {}
  const answer = await askApplication(() => signUp(paramsOf()))
  if (answer === true) return {}
  if (typeof answer !== "object" || answer === null) throw new AccessDenied("The signUp callback refused the sign-up")
  return Object.fromEntries(Object.entries(answer).filter(([name, value]) => !fixed.has(name) && value !== undefined))
}

/** @throws AccessDenied if the callback throws; an `AuthError` that it throws passes unchanged */
export async function askApplication(callback: () => Awaitable<unknown>): Promise<unknown> {
  try {
    return await callback()
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new AccessDenied(cause instanceof Error ? cause : new Error(String(cause)))
  }
}
