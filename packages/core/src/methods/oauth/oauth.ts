import { InvalidCheck, InvalidProvider, OAuthCallbackError } from "../../errors.js"
import { consumeAttempt } from "../../limits/limiter.js"
import type { Method } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { finish } from "./finish.js"
import { consumedCookies } from "./flow.js"
import { start } from "./start.js"

/** Signing in with OAuth 2 (RFC 6749 as of RFC 9700) and OpenID Connect. */
export const oauth: Method = {
  start: async (auth, provider, request) => start(auth, narrow(provider), request),
  async finish(auth, provider, request) {
    try {
      return await finish(auth, narrow(provider), request)
    } catch (cause) {
      const counts = cause instanceof InvalidCheck || cause instanceof OAuthCallbackError
      if (counts) await consumeAttempt(auth, request, { action: "callback" })
      throw cause
    }
  },
  consumedCookies: (_auth, provider, request) => consumedCookies(narrow(provider), request),
}

function narrow(provider: ResolvedProvider): OAuthProvider {
  if (provider.type === "oauth" || provider.type === "oidc") return provider
  throw new InvalidProvider(`The provider "${provider.id}" does not speak OAuth: give it a method of its own`)
}
