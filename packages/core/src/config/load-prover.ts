import type { Method } from "../model/auth.js"
import { once } from "../primitives/once.js"

/** Sign-in with a provider of a module: the form and the limits of credentials, and the module's decision. */
export function loadProver(module: string): () => Promise<Method> {
  return once(async () => {
    const { credentialsMethod } = await import("../methods/credentials/credentials.js")
    const { prove } = await import("../module/calls.js")
    return credentialsMethod((auth, request, { id }, fields) => prove(auth, request, module, { provider: id, fields }))
  })
}
