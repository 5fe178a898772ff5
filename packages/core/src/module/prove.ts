import { InvalidConfig } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { User } from "../model/user.js"
import { requestContext } from "./context.js"
import { installed } from "./installed.js"
import type { TypedFields } from "../module-kit/model.js"

/** Asks a module who signs in. */
export async function prove(
  auth: AuthContext,
  request: AuthRequest,
  module: string,
  typed: TypedFields,
): Promise<User | null> {
  const own = (await installed(auth)).find((each) => each.module.id === module)
  if (own?.parts.prove === undefined) throw new InvalidConfig(`modules: ${module} has providers, but no \`prove\``)
  return own.parts.prove(await requestContext(auth, request, own), typed)
}
