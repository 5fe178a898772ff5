import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { externalSource, thisSite } from "./source.js"

/**
 * CSP sources that a sign-in form can reach without a provider: this site, the callback URL and the custom pages.
 * Chromium applies `form-action` to every redirect after a form submission, not only to the URL in `action`.
 */
export function signInTargets(
  { pages }: AuthContext,
  { origin }: AuthRequest,
  callbackUrl: string | undefined,
): readonly string[] {
  const targets = [callbackUrl, pages.signIn, pages.error, pages.verifyRequest, pages.newUser]
  return [thisSite, ...targets.flatMap((target) => externalSource(origin, target) ?? [])]
}
