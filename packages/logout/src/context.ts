import type { ModuleContext, RequestContext } from "@latchkey/core/module"
import type { records } from "./records.js"

/** What functions without a request get. */
export type Background = ModuleContext<typeof records>

/** What functions with a request get. */
export type Context = RequestContext<typeof records>

/** What a route returns. */
export type Result = ReturnType<Context["json"]>
