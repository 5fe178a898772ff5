import { once } from "../../primitives/awaitable.js"

/** Limits attempts. It loads with the first one. */
export const limiter = once(() => import("./limiter.js"))
