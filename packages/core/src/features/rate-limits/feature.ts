import type { Feature } from "../../config/feature.js"
import { loadOnce } from "../../primitives/awaitable.js"

/** Limits attempts. */
export const rateLimits: Feature = { limiter: loadOnce(() => import("./limiter.js")) }
