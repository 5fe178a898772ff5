import { CallbackRouteError, InvalidCheck, InvalidProvider, OAuthCallbackError } from "../../errors.js"
import type { Method } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { ResolvedProvider } from "../../model/signin.js"
import type { AuthRequest, Params } from "../../model/http.js"
import { countFailures } from "../count-failures.js"
import { clearAuthjsCookies } from "./authjs-cookies.js"
import { repeatedParam } from "./callback.js"
import { finish } from "./finish.js"
import { consumedCookies } from "./flow.js"
import { start } from "./start.js"
import { findForeignAttempt } from "./version4-attempt.js"

/** Sign-in with OAuth 2.0 (RFC 6749, with the practices of RFC 9700) and OpenID Connect. */
export const oauth: Method = {
  start: async (auth, provider, request) => start(auth, requireOAuth(provider), request),
  async finish(auth, provider, request) {
    // A guessed `state` or code counts, not a user who signs in often.
    const attempt = { action: "callback", counts: [InvalidCheck, OAuthCallbackError, CallbackRouteError] } as const
    return countFailures(auth, request, attempt, () => finish(auth, requireOAuth(provider), request))
  },
  async consumedCookies(auth, given, request) {
    const provider = requireOAuth(given)
    // A response that could be read in two ways ends no attempt.
    if (repeatedParam(auth, request) !== undefined) return []
    const params = stateOf(request)
    const authjs = await findForeignAttempt(auth, provider, request, params)
    if (authjs !== undefined) return authjs.cookies
    return [...consumedCookies(provider, request), ...(await clearAuthjsCookies(auth, provider, request, params))]
  },
}

function stateOf({ method, query, body }: AuthRequest): Params {
  const { state } = method === "POST" ? body : query
  return typeof state === "string" ? { state } : {}
}

function requireOAuth(provider: ResolvedProvider): OAuthProvider {
  if (provider.type === "oauth" || provider.type === "oidc") return provider
  throw new InvalidProvider(`The provider "${provider.id}" isn't an OAuth provider. Give it a \`method\` of its own`)
}
