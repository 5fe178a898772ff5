import type { Feature } from "../../config/feature.js"
import { once } from "../../primitives/awaitable.js"

/** Limits attempts. */
export const rateLimits: Feature = { limiter: once(() => import("./limiter.js")) }
