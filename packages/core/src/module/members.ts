import { InvalidConfig } from "../errors.js"
import type { Module } from "./model.js"

/** Names that the result of an initializer has itself. */
type Reserved =
  | "auth"
  | "handlers"
  | "signIn"
  | "signOut"
  | "unstable_update"
  | "revoke"
  | "token"
  | "session"
  | "account"

/** What modules add to the result of the initializer: a member each, named by the id. */
export type Members<Mods extends readonly Module[]> = {
  readonly [M in Mods[number] as string extends M["id"] ? never : Exclude<M["id"], Reserved>]: ServerOf<M>
}

type ServerOf<M> = M extends Module<string, infer S> ? S : never

export type ModuleFunctions = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

/** Each function loads its module at the first call. */
export function membersOf(
  modules: readonly Module[],
  call: (id: string, name: string, args: readonly unknown[]) => Promise<unknown>,
): Record<string, ModuleFunctions> {
  const entries = modules
    .filter(({ members = [] }) => members.length > 0)
    .map(({ id, members = [] }) => [id, functionsOf(id, members, call)] as const)
  return Object.fromEntries(entries)
}

/** The modules of a configuration. Those of a configuration function are an argument of their own. */
export function modulesIn(config: object, given: readonly Module[] | undefined): readonly Module[] {
  if (given !== undefined) return given
  return "modules" in config && Array.isArray(config.modules) ? (config.modules as readonly Module[]) : []
}

/** @throws InvalidConfig if the result of a configuration function has modules of its own */
export function withModules<C extends { readonly modules?: readonly Module[] | undefined }>(
  config: C,
  modules: readonly Module[] | undefined,
): C {
  if (modules === undefined) return config
  if (config.modules === undefined) return { ...config, modules }
  throw new InvalidConfig(
    "A configuration function returned `modules`. Pass them as the second argument, so that their members are known without a request",
  )
}

function functionsOf(id: string, names: readonly string[], call: Parameters<typeof membersOf>[1]): ModuleFunctions {
  return Object.fromEntries(names.map((name) => [name, async (...args) => call(id, name, args)]))
}
