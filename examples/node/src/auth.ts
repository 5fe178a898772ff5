import { createAuth } from "@latchkey/node"
import { authConfig } from "./auth.config.ts"

export const auth = createAuth(authConfig)
