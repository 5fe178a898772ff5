import { createAuth } from "@latchkey/hono"
import { authConfig } from "./auth.config.ts"

export const auth = createAuth(authConfig)
