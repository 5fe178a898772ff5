import type { ModuleContext, RequestContext } from "@latchkey/core/module"
import type { records } from "./records.js"

export type Background = ModuleContext<typeof records>
export type Context = RequestContext<typeof records>
export type Result = Awaited<ReturnType<Context["page"]>>

/** A field of a form as text. */
export function typed({ request }: Pick<Context, "request">, name: string): string {
  const value = request.fields[name]
  return typeof value === "string" ? value : ""
}

/** Enough to recognize one's own. */
export function masked(number: string): string {
  return `***${number.slice(-3)}`
}
