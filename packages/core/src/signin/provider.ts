import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { ResolvedProvider } from "../model/resolved-provider.js"

/** The provider that the route names. */
export function providerOf(auth: AuthContext, { providerId }: AuthRequest): ResolvedProvider | undefined {
  return providerId === undefined ? undefined : auth.providers.get(providerId)
}
