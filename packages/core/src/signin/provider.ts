import type { Auth } from "../model/auth.js"
import type { Incoming } from "../model/http.js"
import type { ResolvedProvider } from "../model/resolved-provider.js"

/** The provider that the route names. */
export function providerOf(auth: Auth, { providerId }: Incoming): ResolvedProvider | undefined {
  return providerId === undefined ? undefined : auth.providers.get(providerId)
}
