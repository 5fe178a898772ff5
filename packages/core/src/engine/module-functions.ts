import { type AnyConfig, compileChecked } from "../config/compile.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { Visitor } from "../model/http.js"
import type { ModuleFinding } from "../module/calls.js"
import type { Resealed, ResealOptions } from "../module/reseal.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { features } from "./features.js"
import { addModules, membersOf, type ModuleMembers, modulesIn } from "../module-kit/members.js"
import type { Module } from "../module-kit/model.js"

/** A configuration, or a function that returns it. */
export type Find = AnyConfig | ((visitor: Visitor | undefined) => AnyConfig | Promise<AnyConfig>)

/** Finds the configuration with these modules. */
export function findWith(find: Find, modules: readonly Module[] | undefined): Find {
  const withModules = addModules(find, modules)
  return typeof find === "function" ? async (visitor) => withModules(await find(visitor)) : withModules(find)
}

/** What modules add to a server. */
export interface ServerModules {
  /** What the modules add, by their ids. Each function loads its module at the first call. */
  readonly members: ModuleMembers
  /** What the modules report about the running application, as `latchkey doctor` shows it. */
  moduleFindings(): Promise<readonly ModuleFinding[]>
}

/** What modules add to a server. It's loaded when it's called. */
export function moduleFunctions(
  given: Find,
  modules: readonly Module[] | undefined,
  context: () => Promise<AuthContext>,
): ServerModules {
  return {
    members: membersOf(modulesIn(given, modules), async (id, name, args) => {
      const auth = await context()
      return (await seamOf(auth)).callMember(auth, id, name, args)
    }),
    async moduleFindings() {
      const auth = await context()
      return hasSeam(auth) ? (await seamOf(auth)).moduleFindings(auth) : []
    },
  }
}

/**
 * Encrypts the sealed fields of what modules and `tokens: vault` keep with the newest secret, as `latchkey db reseal` does. Afterwards, no record needs the
 * former secrets. It can run again, and while the application does.
 *
 * @example
 * ```ts
 * import { type AuthConfig, withEnv } from "@latchkey/core"
 * import { resealRecords } from "@latchkey/core/server"
 * export const job = (config: AuthConfig) => resealRecords(withEnv(config, process.env))
 * ```
 * @throws AuthError if the configuration is invalid, or the database fails
 */
export async function resealRecords(config: AuthConfig, options?: ResealOptions): Promise<Resealed> {
  const auth = await compileChecked(features, config)
  const none: Resealed = { outdated: 0, unreadable: 0 }
  const ofModules = hasSeam(auth) ? await (await seamOf(auth)).resealRecords(auth, options) : none
  const ofVault = (await (await auth.vault?.())?.reseal(auth, options)) ?? none
  return {
    outdated: ofModules.outdated + ofVault.outdated,
    unreadable: ofModules.unreadable + ofVault.unreadable,
  }
}
