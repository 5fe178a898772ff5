import type { Method } from "../model/auth.js"
import { seamOf } from "../module/seam-of.js"
import { once } from "../primitives/awaitable.js"

/** Sign-in with a provider of a module: the form and the limits of credentials, and the module's decision. */
export function loadProver(module: string): () => Promise<Method> {
  return once(async () => {
    const { credentialsMethod } = await import("../features/credentials/credentials.js")
    return credentialsMethod(async (auth, request, { id }, fields) =>
      (await seamOf(auth)).prove(auth, request, module, { provider: id, fields }),
    )
  })
}
