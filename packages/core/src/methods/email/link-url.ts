import { toRoute } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, SafeUrl } from "../../model/http.js"

/**
 * The link contains a token, so a request doesn't make it plain http. A client can send `X-Forwarded-Proto: http`, and the
 * user's network would read the token.
 */
export function linkTo(
  auth: AuthContext,
  request: AuthRequest,
  path: string,
  params: Readonly<Record<string, string>>,
): SafeUrl {
  const isUpgraded = auth.useSecureCookies === undefined && request.scheme.secure
  const base = isUpgraded ? request.base.replace(/^http:/, "https:") : request.base
  return toRoute({ ...request, base }, path, params)
}
