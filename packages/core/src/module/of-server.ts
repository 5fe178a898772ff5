import type { AnyConfig } from "../config/compile.js"
import type { AuthContext } from "../model/auth.js"
import type { Visitor } from "../model/http.js"
import type { Server } from "../server.js"
import { addModules, membersOf, modulesIn } from "./members.js"
import type { Module } from "./model.js"

/** A configuration, or a function that returns it. */
export type Find = AnyConfig | ((visitor: Visitor | undefined) => AnyConfig | Promise<AnyConfig>)

/** Finds the configuration with these modules. */
export function findWith(find: Find, modules: readonly Module[] | undefined): Find {
  const withModules = addModules(find, modules)
  return typeof find === "function" ? async (visitor) => withModules(await find(visitor)) : withModules(find)
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
