import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { GetUserInfo, WebAuthnProvider } from "../../model/webauthn-provider.js"
import { customOf } from "../../provider-kit/passkey-config.js"

/** What `getRelayingParty` and `getUserInfo` of a provider receive. */
export function callbackParams(
  { adapter }: AuthContext,
  { config }: WebAuthnProvider,
  { origin, path, method, headers, cookies, query, body }: AuthRequest,
): Parameters<GetUserInfo> {
  const url = new URL(path, origin)
  return [
    { url, provider: config, adapter },
    { url, method, headers: Object.fromEntries(headers), cookies: Object.fromEntries(cookies), query, body },
  ]
}

export interface Site {
  readonly id: string
  readonly name: string
  /** The origins that a passkey may be used on. */
  readonly origins: readonly string[]
}

/** The site that the passkeys of a provider belong to. */
export function siteOf(auth: AuthContext, provider: WebAuthnProvider, request: AuthRequest): Site {
  const { relayingParty } = provider.config
  // The default names one origin, and every configured one counts.
  const { getRelayingParty } = customOf(provider.config)
  if (getRelayingParty !== undefined) {
    const { id, name, origin } = getRelayingParty.apply(provider.config, callbackParams(auth, provider, request))
    return { id, name, origins: listOf(origin) }
  }
  const { hostname, host, origin } = new URL(request.origin)
  const [id = hostname] = listOf(relayingParty?.id)
  const [name = host] = listOf(relayingParty?.name)
  const origins = listOf(relayingParty?.origin)
  return { id, name, origins: origins.length === 0 ? [origin] : origins }
}

function listOf(given: string | readonly string[] | undefined): readonly string[] {
  return [given ?? []].flat()
}
