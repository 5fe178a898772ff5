import { NuxtAuth } from "@latchkey/nuxt/server"
import { authConfig } from "../auth.config"

export const auth = NuxtAuth(authConfig)
