import { AccessDenied } from "../errors.js"
import { redirect } from "../http/outcome.js"
import { resolveCallbackUrl } from "../http/redirect.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome } from "../model/http.js"
import type { Proof } from "../model/signin.js"

/**
 * Asks the modules, in the order of the configuration; the first that does not allow decides.
 *
 * @throws AccessDenied
 */
export async function askGuards(auth: Auth, incoming: Incoming, proof: Proof): Promise<Outcome | undefined> {
  for (const { id, guard } of auth.modules) {
    const verdict = await guard?.({ proof, incoming })
    if (verdict === undefined || verdict.kind === "allow") continue
    if (verdict.kind === "divert")
      return redirect(await resolveCallbackUrl(auth, incoming, verdict.url), verdict.cookies)
    throw new AccessDenied(`The module ${id} refused: ${verdict.reason}`, { cause: verdict.cause })
  }
  return undefined
}
