import { AuthError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import { moduleContext } from "./context.js"
import { installed } from "./installed.js"

/** What the modules report about the running application, each by its id. */
export async function moduleFindings(auth: AuthContext): Promise<readonly ModuleFinding[]> {
  const findings = (await installed(auth)).map(async (each) => {
    const { module, parts } = each
    const found = (await parts.doctor?.(moduleContext(auth, each, "application"))) ?? []
    return found.map((finding) => ({ module: module.id, finding }))
  })
  return (await Promise.all(findings)).flat()
}

export interface ModuleFinding {
  /** The id of the module. */
  readonly module: string
  /** The problem, and what to do about it. */
  readonly finding: string
}

/** What the modules keep about a user, by their ids. */
export async function moduleExports(auth: AuthContext, userId: string): Promise<Readonly<Record<string, unknown>>> {
  if (userId === "") throw new AuthError("`exportModules` got no user id. Pass the id of the user as text")
  const kept = (await installed(auth)).map(async (each) => {
    const { module, parts } = each
    if (parts.export === undefined) return []
    return [[module.id, await parts.export(moduleContext(auth, each, "application"), { id: userId })]] as const
  })
  return Object.fromEntries((await Promise.all(kept)).flat())
}
