/**
 * Import this for its side effect in Route Handlers and Server Actions that run on the edge runtime. It adds the sign-in
 * code, which middleware leaves out to stay small.
 *
 * @module
 */
import { registerEngine } from "./engine/edge.js"

registerEngine(() => import("./actions.js"))
