import { createAuth } from "@latchkey/express"
import { authConfig } from "./auth.config.ts"

export const auth = createAuth(authConfig)
