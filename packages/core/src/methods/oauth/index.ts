import { InvalidCheck, InvalidProvider, OAuthCallbackError } from "../../errors.js"
import { spend } from "../../limits/limiter.js"
import type { OAuthProvider, ResolvedProvider } from "../../model/resolved-provider.js"
import type { Method } from "../../model/signin.js"
import { finish } from "./finish.js"
import { spent } from "./flow.js"
import { start } from "./start.js"

/** Signing in with OAuth 2 (RFC 6749 as of RFC 9700) and OpenID Connect. */
export const oauth: Method = {
  start: async (auth, provider, incoming) => start(auth, narrow(provider), incoming),
  async finish(auth, provider, incoming) {
    try {
      return await finish(auth, narrow(provider), incoming)
    } catch (cause) {
      const counts = cause instanceof InvalidCheck || cause instanceof OAuthCallbackError
      if (counts) await spend(auth, incoming, { action: "callback" })
      throw cause
    }
  },
  spent: (_auth, provider, incoming) => spent(narrow(provider), incoming),
}

function narrow(provider: ResolvedProvider): OAuthProvider {
  if (provider.type === "oauth" || provider.type === "oidc") return provider
  throw new InvalidProvider(`The provider "${provider.id}" does not speak OAuth: give it a method of its own`)
}
