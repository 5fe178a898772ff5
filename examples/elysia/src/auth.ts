import { latchkey } from "@latchkey/elysia"
import { authConfig } from "./auth.config.ts"

/** Adds the auth routes, `auth` to every context, and `session` to routes with `requireSession: true`. */
export const auth = latchkey(authConfig)
