import { ReactRouterAuth } from "@latchkey/react-router"
import { authConfig } from "./auth.config"

export const auth = ReactRouterAuth(authConfig)
