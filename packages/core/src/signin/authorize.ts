import { AccessDenied, AuthError } from "../errors.js"
import { resolveChosenUrl } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, SafeUrl } from "../model/http.js"
import type { SignInParams } from "../model/proof-steps.js"

/**
 * Asks the `signIn` callback. A string ends the sign-in and redirects there, which is the return value. Any other truthy
 * value allows the sign-in.
 *
 * @throws AccessDenied if the callback refuses or throws; an `AuthError` that it throws passes unchanged
 */
export async function askSignIn(
  auth: AuthContext,
  request: AuthRequest,
  params: SignInParams,
): Promise<SafeUrl | undefined> {
  const answer = await ask(auth, params)
  if (!answer) throw new AccessDenied("The signIn callback refused the sign-in")
  return typeof answer === "string" ? resolveChosenUrl(auth, request, answer) : undefined
}

async function ask(auth: AuthContext, params: SignInParams): Promise<unknown> {
  try {
    return await auth.callbacks.signIn(params)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new AccessDenied(cause instanceof Error ? cause : new Error(String(cause)))
  }
}
