import type { AnyConfig } from "../config/compile.js"
import type { AuthContext } from "../model/auth.js"
import type { Visitor } from "../model/http.js"
import type { Server } from "../server.js"
import { membersOf, modulesIn, withModules } from "./members.js"
import type { Module } from "./model.js"

/** A configuration, or a function that returns it. */
export type Find = AnyConfig | ((visitor: Visitor | undefined) => AnyConfig | Promise<AnyConfig>)

/** The same object for the same configuration, so that it's compiled once. */
export function addModules(find: Find, modules: readonly Module[]): Find {
  const made = new WeakMap<AnyConfig, AnyConfig>()
  const add = (config: AnyConfig): AnyConfig => {
    const known = made.get(config) ?? withModules(config, modules)
    made.set(config, known)
    return known
  }
  return typeof find === "function" ? async (visitor) => add(await find(visitor)) : add(find)
}

/** What modules add to a server. It's loaded when it's called. */
export function moduleFunctions(
  given: Find,
  modules: readonly Module[] | undefined,
  context: () => Promise<AuthContext>,
): Pick<Server, "members" | "moduleFindings" | "exportModules"> {
  return {
    members: membersOf(modulesIn(given, modules), async (id, name, args) => {
      const { callMember } = await import("./call-member.js")
      return callMember(await context(), id, name, args)
    }),
    moduleFindings: async () => (await import("./about-user.js")).moduleFindings(await context()),
    exportModules: async (userId) => (await import("./about-user.js")).moduleExports(await context(), userId),
  }
}
