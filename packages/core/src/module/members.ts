import { InvalidConfig } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import { moduleContext } from "./context.js"
import { installed } from "./installed.js"
import type { Module } from "./model.js"

/** Names that the result of an initializer has itself. */
type Reserved = "auth" | "handlers" | "signIn" | "signOut" | "unstable_update" | "revoke" | "token" | "session" | "account"

/** What modules add to the result of the initializer: a member each, named by the id. */
export type Members<Mods extends readonly Module[]> = {
  readonly [M in Mods[number] as string extends M["id"] ? never : Exclude<M["id"], Reserved>]: ServerOf<M>
}

type ServerOf<M> = M extends Module<string, infer S> ? S : never

export type ModuleFunctions = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

/** Each function loads its module at the first call. */
export function membersOf(modules: readonly Module[], context: () => Promise<AuthContext>): Record<string, ModuleFunctions> {
  const entries = modules
    .filter(({ members = [] }) => members.length > 0)
    .map(({ id, members = [] }) => [id, functionsOf(id, members, context)] as const)
  return Object.fromEntries(entries)
}

function functionsOf(id: string, names: readonly string[], context: () => Promise<AuthContext>): ModuleFunctions {
  const call =
    (name: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      const auth = await context()
      const own = (await installed(auth)).find(({ module }) => module.id === id)
      const server = own?.parts.server?.(moduleContext(auth, own, "application"))
      const found: unknown = server === undefined ? undefined : Reflect.get(server, name)
      if (typeof found !== "function") throw new InvalidConfig(`modules: ${id}: \`server\` returns no function \`${name}\``)
      return Reflect.apply(found, server, args) as unknown
    }
  return Object.fromEntries(names.map((name) => [name, call(name)]))
}
