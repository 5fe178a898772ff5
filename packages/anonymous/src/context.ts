import type { ModuleContext, RequestContext } from "@latchkey/core/module"
import type { records } from "./records.js"

export type Background = ModuleContext<typeof records>
export type Context = RequestContext<typeof records>

/** Adapters over serial columns return numbers, although ids are strings by contract. */
export function idOf({ id }: { readonly id: string | number }): string {
  return String(id)
}
