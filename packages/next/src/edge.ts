/**
 * `import "@latchkey/next/edge"` in a route handler or a file of server actions on the edge runtime brings the engine,
 * which middleware there does without.
 */
import { registerEngine } from "./engine/registered.js"

registerEngine(() => import("@latchkey/core/server"))
