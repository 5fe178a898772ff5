import { AuthError } from "../errors.js"
import type { ModuleSection } from "../model/account.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { requestContext } from "./context.js"
import { type Installed, installed } from "./installed.js"
import { signedInUser } from "./user.js"

/** What modules add to the account page. One that fails is logged, and the others are shown. */
export async function sectionsOf(auth: AuthContext, request: AuthRequest): Promise<readonly ModuleSection[]> {
  const user = await signedInUser(auth, request)
  if (user === null) return []
  const section = async (each: Installed): Promise<readonly ModuleSection[]> => {
    const { module, parts } = each
    try {
      const found = (await parts.account?.(await requestContext(auth, request, each), user)) ?? null
      return found === null ? [] : [{ module: module.id, ...found }]
    } catch (cause) {
      auth.logger.error(new AuthError(`The account section of the module ${module.id} failed`, { cause }))
      return []
    }
  }
  return (await Promise.all((await installed(auth)).map(section))).flat()
}
