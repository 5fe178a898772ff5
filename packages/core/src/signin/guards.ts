import { AccessDenied } from "../errors.js"
import { redirect } from "../http/auth-result.js"
import { resolveCallbackUrl } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import type { Proof } from "../model/signin.js"

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
