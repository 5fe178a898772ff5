import type { NextRequest } from "next/server.js"
import type { RouteHandlers } from "../result.js"

/** The second argument of a Route Handler. Its params aren't checked. */
export type AppRouteHandlerFnContext = { readonly params: Promise<ReturnType<typeof JSON.parse>> }

export type AppRouteHandlerFn = (
  req: NextRequest,
  ctx: AppRouteHandlerFnContext,
) => void | Response | Promise<void | Response>

export type AppRouteHandlers = RouteHandlers
