import { AccessDenied, AuthError } from "../errors.js"
import { redirect } from "../http/auth-result.js"
import { resolveCallbackUrl, resolveChosenUrl } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { CallbacksOptions } from "../model/callbacks.js"
import type { AuthRequest, AuthResult, SafeUrl } from "../model/http.js"
import type { Proof } from "../model/signin.js"

export type SignInParams = Parameters<NonNullable<CallbacksOptions["signIn"]>>[0]

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

/**
 * Asks the guards of modules in the order of the configuration. The first one that doesn't allow decides.
 *
 * @throws AccessDenied
 */
export async function askGuards(
  auth: AuthContext,
  request: AuthRequest,
  proof: Proof,
): Promise<AuthResult | undefined> {
  for (const { id, guard } of auth.modules) {
    const verdict = await guard?.({ proof, incoming: request })
    if (verdict === undefined || verdict.kind === "allow") continue
    if (verdict.kind === "divert")
      return redirect(await resolveCallbackUrl(auth, request, verdict.url), verdict.cookies)
    throw new AccessDenied(`The module ${id} refused: ${verdict.reason}`, { cause: verdict.cause })
  }
  return undefined
}
