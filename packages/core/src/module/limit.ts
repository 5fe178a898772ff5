import { InvalidConfig } from "../errors.js"
import { addressOf, consumeOne } from "../limits/attempts.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { RequestContext } from "../module-kit/context.js"
import type { Installed } from "./installed.js"

/** What `limits` of a module allow. */
export function limitsOf(
  auth: AuthContext,
  request: AuthRequest,
  { module, parts }: Installed,
  signedIn: () => Promise<string | undefined>,
): RequestContext["limit"] {
  return async (name, subject) => {
    const given = parts.limits?.[name]
    if (given === undefined)
      throw new InvalidConfig(`modules: ${module.id} has no limit \`${name}\`. Add it to \`limits\``)
    // All visitors without a known address would share a limit, and one of them could use it up.
    const { address } = addressOf(auth, request)
    const { by, ...limit } = given
    const counted = subject ?? (by === "address" ? address : undefined) ?? (await signedIn()) ?? address
    if (counted !== undefined) await consumeOne(auth, `${module.id}.${name}`, limit, counted)
  }
}
