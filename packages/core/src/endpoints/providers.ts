import { json } from "../http/outcome.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome } from "../model/http.js"

/** GET providers: what can be signed in with, in the order of the configuration. */
export function listProviders(auth: Auth, { base }: Incoming): Outcome {
  const list = [...auth.providers.values()].map(({ id, name, type }) => [
    id,
    { id, name, type, signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` },
  ])
  return json(Object.fromEntries(list))
}
