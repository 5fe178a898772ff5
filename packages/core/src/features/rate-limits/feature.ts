import type { Limiter } from "../../model/auth.js"
import { once } from "../../primitives/awaitable.js"

/** Limits attempts. It loads with the first one. */
export const limiter: () => Promise<Limiter> = once(() => import("./limiter.js"))
