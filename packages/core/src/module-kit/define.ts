import { loadSeam } from "#seam"
import type { AuthResult } from "../model/http.js"
import { seamLoader } from "../model/symbols.js"
import type { Awaitable } from "../model/user.js"
import type { RecordTypes } from "./fields.js"
import type { RequestContext, Route, RouteOptions } from "./context.js"
import type { Module, ModuleParts } from "./model.js"
import type { ModuleUser } from "./phases.js"

/**
 * Makes a module from its description, and gives its parts their types.
 *
 * @example
 * ```ts
 * import { defineModule, integer, owner, record } from "@latchkey/core/module"
 * const records = { visits: record({ userId: owner(), count: integer() }, { key: ["userId"] }) }
 * export const visits = () =>
 *   defineModule({
 *     id: "visits",
 *     records,
 *     members: ["of"],
 *     load: async () => ({
 *       async after({ records }, { user }) {
 *         const before = await records.visits.get({ userId: user.id })
 *         if (before === null) await records.visits.insert({ userId: user.id, count: 1 })
 *         else await records.visits.swap(before, { count: before.count + 1 })
 *       },
 *       server: ({ records }) => ({ of: async (userId: string) => (await records.visits.get({ userId }))?.count ?? 0 }),
 *     }),
 *   })
 * ```
 */
export function defineModule<const Id extends string, S extends object = object, R extends RecordTypes = RecordTypes>(
  module: Omit<Module<Id, S>, "records" | "members" | "load" | "server"> & {
    readonly records?: R
    readonly members?: readonly (keyof S & string)[]
    load?(): Promise<ModuleParts<R, S>>
  },
): Module<Id, S> {
  // Each part only sees the records that this module declares.
  return { ...module, [seamLoader]: loadSeam }
}

type Handle<R extends RecordTypes, U> = (context: RequestContext<R>, user: U) => Awaitable<AuthResult>

/** A route that any visitor may call. */
export function route<R extends RecordTypes>(
  method: string,
  path: string,
  options: RouteOptions & { readonly session: "none" },
  handle: Handle<R, ModuleUser | null>,
): Route
/** A route of a signed-in user, below the base path and the id of the module. */
export function route<R extends RecordTypes>(
  method: string,
  path: string,
  options: RouteOptions,
  handle: Handle<R, ModuleUser>,
): Route
export function route(method: string, path: string, options: RouteOptions, handle: Handle<never, never>): Route {
  return { method: method.toUpperCase(), path, options, handle }
}
