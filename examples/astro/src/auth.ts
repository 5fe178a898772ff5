import { AstroAuth } from "@latchkey/astro"
import { authConfig } from "./auth.config"

export const auth = AstroAuth(authConfig)
