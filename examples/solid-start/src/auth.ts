import { SolidAuth } from "@latchkey/solid-start"
import { authConfig } from "./auth.config"

export const { middleware, getSession, requireSession, signIn, signOut, update, csrfToken } = SolidAuth(authConfig)
