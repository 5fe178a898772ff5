import { InvalidProvider } from "../errors.js"
import { setCookie } from "../http/cookie.js"
import { requestedCallbackUrl } from "../http/auth-request.js"
import { redirect } from "../http/auth-result.js"
import { resolveCallbackUrl, toRoute } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult } from "../model/http.js"

/** Browsers drop cookies over 4096 bytes, name and attributes included (RFC 6265 §6.1). */
const maxCookieLength = 3800

/** POST signin and POST signin/:provider. */
export async function startSignIn(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const remembered = await rememberCallbackUrl(auth, request)
  if (request.providerId === undefined) return redirect(toRoute(request, "signin"), remembered)
  const provider = auth.providers.get(request.providerId)
  if (provider === undefined) throw new InvalidProvider("No such provider is configured")
  const method = await provider.method()
  const result = await method.start(auth, provider, request)
  return { ...result, cookies: [...remembered, ...result.cookies] }
}

/** Remembers the callback URL for pages on the way that don't get it in their URL. */
async function rememberCallbackUrl(auth: AuthContext, request: AuthRequest): Promise<readonly SetCookie[]> {
  const cookie = request.scheme.cookies.callbackUrl
  const requested = requestedCallbackUrl(request)
  if (requested === undefined) return []
  const url = await resolveCallbackUrl(auth, request, requested)
  const isKnown = url === request.cookies.get(cookie.name)
  return isKnown || encodeURIComponent(url).length > maxCookieLength ? [] : [setCookie(cookie, url)]
}
