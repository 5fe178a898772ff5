import type { AuthConfig } from "@latchkey/core"
import type { WebAuthnConfig } from "@latchkey/core/types"
import type { InspectedPasskey } from "./job.js"

/** The passkey providers of a configuration. @param base the URL of the routes */
export function passkeysIn({ providers }: AuthConfig, base: string): InspectedPasskey[] {
  return providers.flatMap((given): InspectedPasskey[] => {
    const provider: unknown = typeof given === "function" ? Reflect.apply(given, undefined, [{}]) : given
    if (!isPasskey(provider)) return []
    return [{ id: provider.id, ...relyingPartyOf(provider, new URL(base)) }]
  })
}

function isPasskey(provider: unknown): provider is WebAuthnConfig {
  return typeof provider === "object" && provider !== null && "type" in provider && provider.type === "webauthn"
}

/** As the engine finds it: from the provider, or else from the URL of the request. */
function relyingPartyOf(provider: WebAuthnConfig, url: URL): Omit<InspectedPasskey, "id"> {
  const own = provider.getRelayingParty?.({ url, provider }, { url, method: "GET" })
  const [domain = url.hostname] = listOf(own?.id ?? provider.relayingParty?.id)
  const origins = listOf(provider.relayingParty?.origin)
  // The function that each provider has by default names the first of several origins.
  if (own !== undefined && !origins.includes(own.origin)) return { domain, origins: [own.origin] }
  return { domain, origins: origins.length === 0 ? [url.origin] : origins }
}

function listOf(given: string | readonly string[] | undefined): readonly string[] {
  return [given ?? []].flat()
}
