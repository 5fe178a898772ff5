import { TanStackStartAuth } from "@latchkey/tanstack-start"
import { authConfig } from "./auth.config"

export const auth = TanStackStartAuth(authConfig)
