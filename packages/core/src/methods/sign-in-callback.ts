import { AccessDenied, AuthError } from "../errors.js"
import { resolveCallbackUrl } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { CallbacksOptions } from "../model/callbacks.js"
import type { AuthRequest, SafeUrl } from "../model/http.js"

export type SignInParams = Parameters<NonNullable<CallbacksOptions["signIn"]>>[0]

/**
 * Asks the `signIn` callback. `true` allows the sign-in; a string ends it and redirects there, which is the return value.
 *
 * @throws AccessDenied if the callback refuses or throws; an `AuthError` that it throws passes unchanged
 */
export async function askSignIn(
  auth: AuthContext,
  request: AuthRequest,
  params: SignInParams,
): Promise<SafeUrl | undefined> {
  const answer = await ask(auth, params)
  if (typeof answer === "string") return resolveCallbackUrl(auth, request, answer)
  if (answer !== true) throw new AccessDenied("The signIn callback refused the sign-in")
  return undefined
}

async function ask(auth: AuthContext, params: SignInParams): Promise<unknown> {
  try {
    return await auth.callbacks.signIn(params)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new AccessDenied(cause instanceof Error ? cause : new Error(String(cause)))
  }
}
