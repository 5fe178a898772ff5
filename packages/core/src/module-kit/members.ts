import { InvalidConfig } from "../errors.js"
import type { Module } from "./model.js"

/**
 * What the modules of a configuration add to the result of an initializer: a member each, named by the id. An id that isn't known, or
 * that is one of the names in `Reserved`, adds nothing.
 */
export type Members<Mods extends readonly Module[], Reserved extends PropertyKey = never> = {
  readonly [M in Mods[number] as NameOf<M, Reserved>]: ServerOf<M>
}

type NameOf<M, Reserved> =
  M extends Module<infer Id, infer S>
    ? string extends Id
      ? never
      : keyof S extends never
        ? never
        : Id extends Reserved
          ? never
          : Id
    : never

/** The `Result` of an initializer, with the members of the modules. Without any, it's the result itself. */
export type WithMembers<Result, Mods extends readonly Module[]> = [keyof Members<Mods, keyof Result>] extends [never]
  ? Result
  : Result & Members<Mods, keyof Result>

/** The members that the modules of a configuration `C` add. */
export type MembersOf<C> = C extends { readonly modules: infer Mods extends readonly Module[] } ? Members<Mods> : {}

type ServerOf<M> = M extends Module<string, infer S> ? S : never

/** Modules, if the configuration is a function. */
export interface ModuleOptions<Mods extends readonly Module[] = readonly Module[]> {
  /** Their members are known without a request, so the function can't return them. */
  readonly modules?: Mods | undefined
}

export type ModuleFunctions = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

/** By the id of the module. */
export type ModuleMembers = Readonly<Record<string, ModuleFunctions>>

/** Each function loads its module at the first call. */
export function membersOf(
  modules: readonly Module[],
  call: (id: string, name: string, args: readonly unknown[]) => Promise<unknown>,
): ModuleMembers {
  const functionsOf = (id: string, names: readonly string[]): ModuleFunctions =>
    Object.fromEntries(names.map((name) => [name, async (...args) => call(id, name, args)]))
  return Object.fromEntries(modules.flatMap(({ id, members }) => (members ? [[id, functionsOf(id, members)]] : [])))
}

/**
 * Adds the members of modules to the result of an initializer.
 *
 * @throws InvalidConfig if a module has the name of a member of the result
 */
export function withMembers<R extends object, Mods extends readonly Module[]>(
  result: R,
  members: ModuleMembers,
): WithMembers<R, Mods> {
  for (const id of Object.keys(members)) {
    if (id in result)
      throw new InvalidConfig(`modules: "${id}" is a function of the integration itself. Give the module another id`)
  }
  const added: unknown = Object.assign(result, members)
  return added as WithMembers<R, Mods>
}

/** The modules of a configuration. Those of a configuration function are an argument of their own. */
export function modulesIn(config: object, given: readonly Module[] | undefined): readonly Module[] {
  if (given !== undefined) return given
  return "modules" in config && Array.isArray(config.modules) ? (config.modules as readonly Module[]) : []
}

interface Modular {
  readonly modules?: readonly Module[] | undefined
}

/**
 * Returns what adds modules to the result of a configuration function. It returns the same object for the same configuration, so
 * that it's compiled once.
 *
 * @throws InvalidConfig if the modules of a configuration function are in its result
 */
export function addModules(
  source: unknown,
  modules: readonly Module[] | undefined,
): <C extends Modular>(config: C) => C {
  const made = new WeakMap<object, object>()
  return <C extends Modular>(config: C) => {
    if (config.modules !== undefined && (typeof source === "function" || modules !== undefined))
      throw new InvalidConfig("Pass `modules` in the configuration, or as the second argument if it's a function")
    if (modules === undefined) return config
    const known = made.get(config) ?? { ...config, modules }
    made.set(config, known)
    return known as C
  }
}
