import { SvelteKitAuth } from "@latchkey/sveltekit"
import { authConfig } from "./auth.config"

export const auth = SvelteKitAuth(authConfig)
export const { handle, signIn, signOut, requireSession, update, csrfToken } = auth
