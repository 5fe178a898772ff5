import type { AuthContext } from "../../model/auth.js"
import type { Limiter } from "../../model/features.js"
import { once } from "../../primitives/awaitable.js"

/** Limits attempts. It loads with the first one. */
export const limiter: () => Promise<Limiter<AuthContext>> = once(() => import("./limiter.js"))
