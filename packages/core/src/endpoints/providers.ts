import { json } from "../http/respond.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"

/** GET providers: the configured providers with their URLs, in the order of the configuration. */
export function listProviders(auth: AuthContext, { base }: AuthRequest): AuthResult {
  const list = [...auth.providers.values()].map(({ id, name, type }) => [
    id,
    { id, name, type, signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` },
  ])
  return json(Object.fromEntries(list))
}
