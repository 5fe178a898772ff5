import { InvalidProvider } from "../errors.js"
import { redirect } from "../http/auth-result.js"
import { rememberCallbackUrl, toRoute } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"

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
