import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest } from "../model/http.js"
import type { ResolvedProvider } from "../model/signin.js"
import { isNavigation } from "./accepts.js"
import { setCookie } from "./cookie.js"

/** The cookie by which the built-in sign-in page marks the provider that this browser signed in with last. */
export function rememberMethod(
  { pages, providers }: AuthContext,
  request: AuthRequest,
  { id }: Pick<ResolvedProvider, "id">,
): readonly SetCookie[] {
  const cookie = request.scheme.cookies.lastUsed
  const isNews = providers.size > 1 && request.cookies.get(cookie.name) !== id
  const isShown = request.wantsFlow === true || (pages.signIn === undefined && isNavigation(request.headers))
  return isNews && isShown ? [setCookie(cookie, id)] : []
}

/** ID of the provider that this browser signed in with last, if it's still configured. */
export function lastUsedMethod({ providers }: AuthContext, { scheme, cookies }: AuthRequest): string | undefined {
  const id = cookies.get(scheme.cookies.lastUsed.name)
  return id !== undefined && providers.has(id) ? id : undefined
}
